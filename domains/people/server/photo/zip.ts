import type { FileHandle } from 'node:fs/promises'
import { crc32, inflateRawSync } from 'node:zlib'

/** One picture of an archive: its name as it was given, and where its bytes lie. */
export type Packed = { name: string; method: number; flags: number; crc: number; packed: number; inflated: number; offset: number }

/** An archive that is not opened at all; the message says what to do. */
export class ZipRefused extends Error {}

const end_signature = 0x06054b50
const central_signature = 0x02014b50
const local_signature = 0x04034b50
const end_bytes = 22
const most_comment = 0xffff
const most_entries = 10_000
const most_directory = 16 * 1024 * 1024
const utf8_flag = 0x800
const encrypted_flag = 1
/** Pictures hardly shrink: whatever grows a hundred times is a bomb. */
const most_ratio = 100
const ratio_from = 5 * 1024 * 1024
const most_inflated = 1024 * 1024 * 1024
/** Bytes of one picture; larger ones are told to be no good. */
const most_picture = 20 * 1024 * 1024

const broken = '压缩包已损坏或不是 zip 格式，请重新打包'
const too_much = '压缩包内容过大或过多，请分批打包（每包最多10000个文件）'
const unsafe = '压缩包中有不安全的文件路径，请把照片放在一个文件夹中重新打包'

/**
 * The files of an archive, read from its directory alone: no byte of them is looked at. Folders and what systems put beside them are left out.
 * @throws ZipRefused for a broken archive, a name that leaves its folder, more files or bytes than allowed, bytes that several files share
 */
export async function readZip(file: FileHandle, size: number): Promise<Packed[]> {
  const { count, length, offset } = await findEnd(file, size)
  if (count > most_entries || length > most_directory) throw new ZipRefused(too_much)
  if (offset + length > size) throw new ZipRefused(broken)
  const entries = parseDirectory(await readAt(file, offset, length))
  if (entries.length !== count) throw new ZipRefused(broken)
  if (entries.some(({ name }) => leavesFolder(name))) throw new ZipRefused(unsafe)
  refuseBombs(entries)
  refuseShared(entries, offset)
  return entries.filter(({ name }) => !name.endsWith('/') && !isSystemFile(name))
}

/** The bytes of one file; null when they are not what the directory says, too many, or locked by a password. */
export async function readPacked(file: FileHandle, { offset, packed, inflated, method, flags, crc }: Packed): Promise<Buffer | null> {
  if ((flags & encrypted_flag) !== 0 || inflated > most_picture || (method !== 0 && method !== 8)) return null
  const head = await readAt(file, offset, 30)
  if (head.length < 30 || head.readUInt32LE(0) !== local_signature) return null
  const bytes = await readAt(file, offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28), packed)
  const whole = method === 0 ? bytes : inflated8(bytes, inflated)
  return whole !== null && whole.length === inflated && crc32(whole) === crc ? whole : null
}

function inflated8(bytes: Buffer, inflated: number): Buffer | null {
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(1, inflated) })
  } catch {
    return null
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await file.read(bytes, 0, length, position)
  return bytes.subarray(0, bytesRead)
}

async function findEnd(file: FileHandle, size: number): Promise<{ count: number; length: number; offset: number }> {
  const tail = await readAt(file, Math.max(0, size - end_bytes - most_comment), Math.min(size, end_bytes + most_comment))
  for (let at = tail.length - end_bytes; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== end_signature) continue
    return { count: tail.readUInt16LE(at + 10), length: tail.readUInt32LE(at + 12), offset: tail.readUInt32LE(at + 16) }
  }
  throw new ZipRefused(broken)
}

function parseDirectory(bytes: Buffer): Packed[] {
  const entries: (Omit<Packed, 'name'> & { raw: Buffer })[] = []
  let at = 0
  while (at + 46 <= bytes.length && bytes.readUInt32LE(at) === central_signature) {
    const name_end = at + 46 + bytes.readUInt16LE(at + 28)
    const flags = bytes.readUInt16LE(at + 8)
    entries.push({
      raw: bytes.subarray(at + 46, name_end), flags, method: bytes.readUInt16LE(at + 10), crc: bytes.readUInt32LE(at + 16),
      packed: bytes.readUInt32LE(at + 20), inflated: bytes.readUInt32LE(at + 24), offset: bytes.readUInt32LE(at + 42),
    })
    at = name_end + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  const decode = nameDecoder(entries)
  return entries.map(({ raw, ...entry }) => ({ ...entry, name: decode(raw, entry.flags) }))
}

/**
 * Names say by a flag that they are UTF-8. All others of an archive are of one encoding: UTF-8 (a Mac) when every one of them is,
 * else GBK (Windows in China), some of whose names pass for UTF-8 by chance.
 */
function nameDecoder(entries: readonly { raw: Buffer; flags: number }[]): (raw: Buffer, flags: number) => string {
  const is_flagged = ({ raw, flags }: { raw: Buffer; flags: number }) => (flags & utf8_flag) !== 0 && tryUtf8(raw) !== null
  const is_utf8 = entries.every(entry => is_flagged(entry) || tryUtf8(entry.raw) !== null)
  return (raw, flags) => {
    const utf8 = is_utf8 || is_flagged({ raw, flags }) ? tryUtf8(raw) : null
    return (utf8 ?? new TextDecoder('gbk').decode(raw)).replaceAll('\\', '/').normalize('NFC')
  }
}

function tryUtf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function leavesFolder(name: string): boolean {
  return name.startsWith('/') || /^[A-Za-z]:/.test(name) || name.includes('\0') || name.split('/').includes('..')
}

function isSystemFile(name: string): boolean {
  return name.split('/').some(part => part === '__MACOSX' || part.startsWith('.') || /^(?:thumbs\.db|desktop\.ini)$/i.test(part))
}

function refuseBombs(entries: readonly Packed[]): void {
  const total = entries.reduce((sum, entry) => sum + entry.inflated, 0)
  const bomb = entries.some(({ inflated, packed }) => inflated > ratio_from && inflated > packed * most_ratio)
  if (bomb || total > most_inflated) throw new ZipRefused(too_much)
}

function refuseShared(entries: readonly Packed[], directory: number): void {
  let used = 0
  for (const { offset, packed } of entries.toSorted((a, b) => a.offset - b.offset)) {
    if (offset < used || offset + packed > directory) throw new ZipRefused(broken)
    used = offset + packed
  }
}
