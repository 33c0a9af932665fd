/** What of an MP4 decides whether a board and a browser can play it while it arrives. */
export type Film = { codec: string; width: number | null; height: number | null; duration_ms: number | null; is_fast: boolean }

type Box = { type: string; at: number; size: number; head: number }
const [short_head, long_head] = [8, 16] as const
/** Boxes that hold boxes on the way to what is looked for. */
const holders: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl'])
const boards_play: ReadonlySet<string> = new Set(['avc1', 'avc3'])
const codec_names: Readonly<Record<string, string>> = {
  hvc1: 'HEVC',
  hev1: 'HEVC',
  av01: 'AV1',
  vp09: 'VP9',
  mp4v: 'MPEG-4',
  jpeg: 'MJPEG',
  apch: 'ProRes',
}

/** The boxes between two places; null when their sizes do not add up. A last box may reach beyond what is there of the file. */
function boxesOf(bytes: Buffer, from: number, to: number, is_part = false): Box[] | null {
  const found: Box[] = []
  for (let at = from; at < to;) {
    if (at + short_head > bytes.length) return is_part ? found : null
    const short = bytes.readUInt32BE(at)
    if (short === 1 && at + long_head > bytes.length) return is_part ? found : null
    const size = short === 1 ? Number(bytes.readBigUInt64BE(at + short_head)) : short === 0 ? to - at : short
    const head = short === 1 ? long_head : short_head
    if (size < head || (!is_part && at + size > to)) return null
    found.push({ type: bytes.toString('latin1', at + 4, at + short_head), at, size, head })
    at += size
  }
  return found
}

/** Every box of a type below one, however deep. */
function allBelow(bytes: Buffer, box: Box, type: string): Box[] {
  const inner = boxesOf(bytes, box.at + box.head, box.at + box.size) ?? []
  return inner.flatMap(one => (one.type === type ? [one] : holders.has(one.type) ? allBelow(bytes, one, type) : []))
}

/**
 * Reads the index of an MP4. `total` is the size of the whole file, of which `bytes` may be the beginning.
 * @returns null when it is damaged, no MP4, or its index is not in what was given
 */
export function readFilm(bytes: Buffer, total = bytes.length): Film | null {
  const top = boxesOf(bytes, 0, total, bytes.length < total)
  const moov = top?.find(box => box.type === 'moov')
  if (!top || !moov || moov.at + moov.size > bytes.length) return null
  try {
    return filmOf(bytes, top, moov)
  } catch (error) {
    // A count or size inside the index points out of the file.
    if (error instanceof RangeError) return null
    throw error
  }
}

function filmOf(bytes: Buffer, top: readonly Box[], moov: Box): Film | null {
  const video = allBelow(bytes, moov, 'trak').find(trak =>
    allBelow(bytes, trak, 'hdlr').some(hdlr => bytes.toString('latin1', hdlr.at + hdlr.head + 8, hdlr.at + hdlr.head + 12) === 'vide'),
  )
  const [stsd] = video ? allBelow(bytes, video, 'stsd') : []
  const mdat = top.find(box => box.type === 'mdat')
  if (!video || !stsd || !mdat) return null
  const entry = stsd.at + stsd.head + short_head
  const codec = bytes.toString('latin1', entry + 4, entry + short_head)
  return {
    codec,
    width: bytes.readUInt16BE(entry + 32),
    height: bytes.readUInt16BE(entry + 34),
    duration_ms: lengthOf(bytes, moov),
    is_fast: moov.at < mdat.at,
  }
}

function lengthOf(bytes: Buffer, moov: Box): number | null {
  const [mvhd] = allBelow(bytes, moov, 'mvhd')
  if (!mvhd) return null
  const at = mvhd.at + mvhd.head
  const is_long = bytes[at] === 1
  const scale = bytes.readUInt32BE(at + (is_long ? 20 : 12))
  const length = is_long ? Number(bytes.readBigUInt64BE(at + 24)) : bytes.readUInt32BE(at + 16)
  return scale === 0 ? null : Math.round((length / scale) * 1000)
}

/** Whether boards play this; the name of its codec for the refusal otherwise (chapter 60 rule 27). */
export function unplayable({ codec }: Film): string | null {
  return boards_play.has(codec) ? null : (codec_names[codec] ?? codec.trim())
}

/**
 * Puts the index of an MP4 before its pictures and sound, which stay as they are byte for byte; their places in the index move by its size (chapter 60 rule 27).
 * @returns null for a file that `readFilm` cannot read, or whose places do not fit
 */
export function asFastStart(bytes: Buffer): Buffer | null {
  const top = boxesOf(bytes, 0, bytes.length)
  const moov = top?.find(box => box.type === 'moov')
  if (!top || !moov) return null
  const index = Buffer.from(bytes.subarray(moov.at, moov.at + moov.size))
  const root = { ...moov, at: 0 }
  const is_moved = [...allBelow(index, root, 'stco'), ...allBelow(index, root, 'co64')].every(table => movePlaces(index, table, moov))
  if (!is_moved) return null
  const [first, rest] = [top.filter(box => box.type === 'ftyp'), top.filter(box => box.type !== 'ftyp' && box !== moov)]
  const part = (box: Box) => bytes.subarray(box.at, box.at + box.size)
  return Buffer.concat([...first.map(part), index, ...rest.map(part)])
}

/** What lies before the old place of the index moves back by its size; what lay behind it stays where it is. */
function movePlaces(index: Buffer, { type, at, head }: Box, moov: Box): boolean {
  const count = index.readUInt32BE(at + head + 4)
  for (let one = 0; one < count; one += 1) {
    const place = at + head + short_head + one * (type === 'co64' ? 8 : 4)
    const old = type === 'co64' ? Number(index.readBigUInt64BE(place)) : index.readUInt32BE(place)
    const moved = old < moov.at ? old + moov.size : old
    if (type === 'co64') index.writeBigUInt64BE(BigInt(moved), place)
    else if (moved > 0xffff_ffff) return false
    else index.writeUInt32BE(moved, place)
  }
  return true
}
