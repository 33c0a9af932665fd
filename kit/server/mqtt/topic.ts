/** Most levels of a topic or filter (chapter 31 §1). */
const most_levels = 8

/** Whether a filter that somebody may use covers a topic or filter that he asks for: the same, or narrower (MQTT 3.1.1 §4.7). */
export function covers(granted: string, asked: string): boolean {
  const [have, want] = [granted.split('/'), asked.split('/')]
  if (want.length > most_levels || asked.startsWith('$')) return false
  for (const [at, level] of have.entries()) {
    if (level === '#') return want.length >= at
    const wanted = want[at]
    if (wanted === undefined || wanted === '#') return false
    if (level !== '+' && level !== wanted) return false
  }
  return have.length === want.length
}

/** The prefix of all topics as it is configured, without slashes at its ends. */
export function topicPrefix(setting: string): string {
  return setting.replace(/^\/+|\/+$/g, '') || 'jdev'
}
