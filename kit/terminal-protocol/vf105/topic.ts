/** Where a VF105 speaks and hears, below its own `{prefix}/{sn}` (chapter 31 §5.1). */
const root = 'access_device/v2'
const event_names = ['connect', 'heartbeat', 'offline', 'access', 'alarm', 'access_online', 'wecom', 'getCallList', 'call'] as const
export type EventName = (typeof event_names)[number]
/** Events that the device waits for the answer of. */
export const answered_events: readonly EventName[] = ['access', 'alarm', 'access_online', 'wecom', 'getCallList', 'call']

/** What the device's setting `mqtt.prefix` puts before every topic: no slashes at its ends, one behind; inner ones stay. */
function prefixOf(setting: string): string {
  const bare = setting.replace(/^\/+|\/+$/g, '')
  return bare === '' ? '' : `${bare}/`
}

/** The setting that gives every device a subtree of its own. */
export function ownPrefix(prefix: string, sn: string): string {
  return `${prefix}/${sn}`
}

/** Where a device hears a command; `setting` is its `mqtt.prefix`. */
export function commandTopic(setting: string, uuid: string, action: string): string {
  return `${prefixOf(setting)}${root}/cmd/${uuid}/${action}`
}

/** Where it answers: without its own id, so that its prefix has to tell it from others. */
export function replyTopic(setting: string, action: string): string {
  return `${prefixOf(setting)}${root}/cmd/${action}_reply`
}

/** Where it says what happened. */
export function eventTopic(setting: string, name: EventName): string {
  return `${prefixOf(setting)}${root}/event/${name}`
}

/** Where it hears that an event was taken. */
export function ackTopic(setting: string, uuid: string, name: EventName): string {
  return `${prefixOf(setting)}${root}/event/${uuid}/${name}_reply`
}

/** The thirteen filters of a device, in one SUBSCRIBE: its commands, its six acknowledgements, and each of those once more without a slash, as its firmware has it. */
export function deviceFilters(setting: string, uuid: string): string[] {
  const misspelt = (name: EventName) => `${prefixOf(setting)}${root}/event${uuid}/${name}_reply`
  return [commandTopic(setting, uuid, '#'), ...answered_events.map(name => ackTopic(setting, uuid, name)), ...answered_events.map(misspelt)]
}

/** What a device has published: a reply to an action or an event; undefined for anything else. */
export function readTopic(setting: string, topic: string): { reply: string } | { event: EventName } | undefined {
  const start = `${prefixOf(setting)}${root}/`
  if (!topic.startsWith(start)) return undefined
  const [kind, name = '', more] = topic.slice(start.length).split('/')
  if (more !== undefined) return undefined
  if (kind === 'cmd' && name.endsWith('_reply') && name.length > '_reply'.length) return { reply: name.slice(0, -'_reply'.length) }
  const event = kind === 'event' ? event_names.find(one => one === name) : undefined
  return event === undefined ? undefined : { event }
}
