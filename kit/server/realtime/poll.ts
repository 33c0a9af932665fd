import { randomBytes } from 'node:crypto'
import type { Frame } from './backlog.ts'
import type { Hub } from './hub.ts'
import type { SessionKey } from './watchers.ts'

const look_ms = 5000
/** Who has not polled for so long is forgotten. */
const forget_ms = 30_000
/** Frames that wait to be fetched; more wait as rows, up to the bound. */
const most_frames = 20

type Polled = { since: string; frames: Frame[] }
export type Polls = {
  /**
   * What happened since an earlier answer of this node. To whoever comes from another node, or too late, everything he watches may have been
   * missed. What an answer held is kept until the next one is asked for, so that a lost answer loses nothing.
   */
  poll(client_id: string, session: SessionKey, since: string | undefined): Promise<Polled>
  stop(): void
}

type Box = { frames: { no: number; frame: Frame }[]; no: number; at: number }

/** Serves browsers that cannot hold a connection: the same frames, fetched (chapter 31 §2). */
export function openPolls(hub: Hub): Polls {
  const node = randomBytes(6).toString('hex')
  const boxes = new Map<string, Box>()
  const drop = (key: string) => {
    boxes.delete(key)
    hub.leave(key)
  }
  const looking = setInterval(() => {
    for (const [key, { at }] of boxes) if (performance.now() - at > forget_ms) drop(key)
  }, look_ms).unref()
  const open = async (key: string, client_id: string, session: SessionKey): Promise<Box> => {
    const box: Box = { frames: [], no: 0, at: performance.now() }
    boxes.set(key, box)
    const put = (frame: Frame) => void box.frames.push({ no: (box.no += 1), frame })
    await hub.join(key, client_id, session, { isReady: () => box.frames.length < most_frames, send: put, end: () => drop(key) }).catch((error: unknown) => {
      // Half a watcher would hear nothing and say nothing.
      drop(key)
      throw error
    })
    return box
  }
  return {
    async poll(client_id, session, since) {
      const key = `${client_id}/poll`
      const known = boxes.get(key)
      const box = known ?? (await open(key, client_id, session))
      box.at = performance.now()
      const seen = since?.startsWith(`${node}.`) ? Number(since.slice(node.length + 1)) : undefined
      const lost = since !== undefined && (seen === undefined || !known)
      box.frames = box.frames.filter(({ no }) => seen !== undefined && no > seen)
      const frames = lost ? hub.gaps(key) : box.frames.map(({ frame }) => frame)
      return { since: `${node}.${box.no}`, frames }
    },
    stop: () => clearInterval(looking),
  }
}
