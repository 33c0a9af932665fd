import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Folders without which the engine does not begin. */
const folders = ['base', 'global', 'pg_multixact', 'pg_wal', 'pg_xact']
const [page_bytes, segment_bytes, control_bytes] = [8192, 16 * 1024 * 1024, 8192]
/** The checksum of the control file stands behind what it covers, wherever this version of the engine ends that; the first fields are never it. */
const [first_checksum_at, castagnoli] = [100, 0x82_f6_3b_78]
const most_named = 5

/**
 * Why a database directory does not open, for whoever has to mend it: which of its files are damaged, and that a restore is the way (docs/operators.md).
 * @param cause what the engine said
 */
export function damageOf(directory: string, cause: unknown): Error {
  const files = damagedFiles(join(directory, 'pg'))
  const named = files.slice(0, most_named).map(file => join(directory, 'pg', file))
  const more = files.length > named.length ? ` and ${files.length - named.length} more` : ''
  const what = named.length === 0 ? `the database in ${directory} does not open` : `the database is damaged: ${named.join(', ')}${more}`
  return new Error(`${what}. Move ${directory} away and restore the newest backup into a new one: campus restore <backup>. (${cause instanceof Error ? cause.message : String(cause)})`, { cause })
}

/** Files of a database directory that cannot be whole, by their names in it: missing folders, a control file whose checksum is wrong, logs and tables cut short. */
function damagedFiles(directory: string): string[] {
  const missing = [...folders, 'PG_VERSION'].filter(name => !existsSync(join(directory, name)))
  const control = join('global', 'pg_control')
  const is_control_whole = existsSync(join(directory, control)) && hasChecksum(readFileSync(join(directory, control)))
  const logs = filesIn(directory, 'pg_wal').filter(name => /\/[0-9A-F]{24}$/.test(name))
  const databases = existsSync(join(directory, 'base')) ? readdirSync(join(directory, 'base')).map(name => join('base', name)) : []
  const tables = ['global', ...databases].flatMap(folder => filesIn(directory, folder)).filter(name => /\/\d+(?:_fsm|_vm)?(?:\.\d+)?$/.test(name))
  const sizeOf = (name: string) => statSync(join(directory, name)).size
  return [
    ...missing,
    ...(is_control_whole ? [] : [control]),
    ...(logs.length === 0 && !missing.includes('pg_wal') ? ['pg_wal'] : logs.filter(name => sizeOf(name) !== segment_bytes)),
    ...tables.filter(name => sizeOf(name) % page_bytes !== 0),
  ]
}

function filesIn(directory: string, folder: string): string[] {
  return existsSync(join(directory, folder)) ? readdirSync(join(directory, folder)).map(name => join(folder, name)) : []
}

/** Whether the bytes before some field are what that field says they are (CRC-32C). */
function hasChecksum(bytes: Buffer): boolean {
  if (bytes.length !== control_bytes) return false
  let rest = 0xff_ff_ff_ff
  for (let at = 0; at + 4 <= bytes.length; at += 1) {
    if (at > first_checksum_at && at % 4 === 0 && (rest ^ 0xff_ff_ff_ff) >>> 0 === bytes.readUInt32LE(at)) return true
    rest ^= bytes[at] ?? 0
    for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ castagnoli : rest >>> 1
  }
  return false
}
