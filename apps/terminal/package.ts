import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

/** A firmware package of the virtual terminals says in its first line what it is: `campus-firmware {version}`. */
const head = /^campus-firmware (?<version>[\w.-]{1,40})\n/u
const [head_bytes, second_ms] = [80, 1000] as const

/** What a device found when it fetched a package: its version where the package says one, or what is wrong. */
export type Fetched = { version: string | undefined } | { fault: string }

/** Fetches a package and looks whether it is the one that was meant. `bytes_s`: how much comes through its line in a second; 0: it is no bad line. */
export async function fetchPackage(url: string, { md5, sha256 }: { md5: string; sha256?: string | undefined }, bytes_s = 0): Promise<Fetched> {
  const answer = await fetch(url).catch(() => undefined)
  if (!answer?.ok) return { fault: '下载失败' }
  const bytes = bytes_s === 0 || !answer.body ? Buffer.from(await answer.arrayBuffer()) : await readSlowly(answer.body, bytes_s).catch(() => undefined)
  if (!bytes) return { fault: '下载失败' }
  const is = (kind: 'md5' | 'sha256', wanted: string) => createHash(kind).update(bytes).digest('hex') === wanted.toLowerCase()
  if (!is('md5', md5) || (sha256 !== undefined && !is('sha256', sha256))) return { fault: '文件校验失败' }
  return { version: head.exec(bytes.subarray(0, head_bytes).toString('latin1'))?.groups?.version }
}

/** Takes no more than its line brings: who sends it waits. */
async function readSlowly(body: AsyncIterable<Uint8Array>, bytes_s: number): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of body) {
    pieces.push(piece)
    await sleep((piece.length / bytes_s) * second_ms, undefined, { ref: false })
  }
  return Buffer.concat(pieces)
}
