/** What a device publishes and hears below its own id (chapter 31 §3). */
const up_kinds = ['hello', 'state', 'event', 'reply', 'bye'] as const
export type UpKind = (typeof up_kinds)[number]
export type DownKind = 'hello' | 'sync' | 'cmd' | 'ack'

/** Where the server speaks to a device. */
export function downTopic(prefix: string, client_id: string, kind: DownKind): string {
  return `${prefix}/${client_id}/down/${kind}`
}

/** Where a device speaks. */
export function upTopic(prefix: string, client_id: string, kind: UpKind): string {
  return `${prefix}/${client_id}/up/${kind}`
}

/** Which of its own topics a device has published to; undefined for any other. */
export function upKindOf(prefix: string, client_id: string, topic: string): UpKind | undefined {
  return up_kinds.find(kind => topic === upTopic(prefix, client_id, kind))
}
