import { createHash } from 'node:crypto'

/** A firmware package of the virtual terminals says in its first line what it is: `campus-firmware {version}`. */
const head = /^campus-firmware (?<version>[\w.-]{1,40})\n/u
const head_bytes = 80

/** What a device found when it fetched a package: its version where the package says one, or what is wrong. */
export type Fetched = { version: string | undefined } | { fault: string }

/** Fetches a package and looks whether it is the one that was meant. */
export async function fetchPackage(url: string, { md5, sha256 }: { md5: string; sha256?: string | undefined }): Promise<Fetched> {
  const answer = await fetch(url).catch(() => undefined)
  if (!answer?.ok) return { fault: '下载失败' }
  const bytes = Buffer.from(await answer.arrayBuffer())
  const is = (kind: 'md5' | 'sha256', wanted: string) => createHash(kind).update(bytes).digest('hex') === wanted.toLowerCase()
  if (!is('md5', md5) || (sha256 !== undefined && !is('sha256', sha256))) return { fault: '文件校验失败' }
  return { version: head.exec(bytes.subarray(0, head_bytes).toString('latin1'))?.groups?.version }
}
