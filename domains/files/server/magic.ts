import { kind_extensions } from '@campus/files/contract'
import type { FileKind } from '@campus/files/contract'

/** So much of a file tells what it is. */
export const head_bytes = 4100

type Format = { mime: string; is(head: Buffer): boolean }
const text = (head: Buffer, from: number, to: number) => head.toString('latin1', from, to)
const starts = (mime: string, ...signs: string[]): Format => ({ mime, is: head => signs.some(sign => text(head, 0, sign.length) === sign) })
const office = (part: string, mime: string): Format => ({ mime: `application/vnd.openxmlformats-officedocument.${mime}`, is: head => isZip(head) && isOffice(head, part) })
const old_office = (mime: string) => starts(mime, '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1')
const isZip = (head: Buffer) => text(head, 0, 4) === 'PK\u0003\u0004' || text(head, 0, 4) === 'PK\u0005\u0006'
/** The first entry of an office file is one of its own parts; any other archive called .docx is refused. */
const isOffice = (head: Buffer, part: string) => new RegExp(`^(\\[Content_Types\\]\\.xml|_rels/|docProps/|mimetype|${part}/)`).test(text(head, 30, 30 + head.readUInt16LE(26)))

const jpeg = starts('image/jpeg', '\u00ff\u00d8\u00ff')
const pictures: readonly Format[] = [
  jpeg,
  starts('image/png', '\u0089PNG\r\n\u001a\n'),
  starts('image/gif', 'GIF87a', 'GIF89a'),
  { mime: 'image/webp', is: head => text(head, 0, 4) === 'RIFF' && text(head, 8, 12) === 'WEBP' },
]
const movie = (mime: string): Format => ({ mime, is: head => ['ftyp', 'moov', 'mdat', 'wide', 'free'].includes(text(head, 4, 8)) })
const mp3: Format = { mime: 'audio/mpeg', is: head => text(head, 0, 3) === 'ID3' || (head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0) }
const plain: Format = { mime: 'text/plain', is: head => head.every(byte => byte >= 32 || byte === 9 || byte === 10 || byte === 13) }

const formats: Readonly<Record<string, readonly Format[]>> = {
  jpg: pictures, jpeg: pictures, png: pictures, gif: pictures, webp: pictures,
  mp4: [movie('video/mp4')], mov: [movie('video/quicktime')], avi: [{ mime: 'video/x-msvideo', is: head => text(head, 0, 4) === 'RIFF' && text(head, 8, 12) === 'AVI ' }],
  doc: [old_office('application/msword')], xls: [old_office('application/vnd.ms-excel')], ppt: [old_office('application/vnd.ms-powerpoint')],
  docx: [office('word', 'wordprocessingml.document')], xlsx: [office('xl', 'spreadsheetml.sheet')], pptx: [office('ppt', 'presentationml.presentation')],
  pdf: [starts('application/pdf', '%PDF-')], txt: [plain], mp3: [mp3], zip: [{ mime: 'application/zip', is: isZip }],
}

/**
 * What a file is by its first bytes; its name only says what it should be (F6).
 * @param head at least the first `head_bytes` of the file, or all of it
 * @returns its type, or null when the bytes are none of the kind, or not what the extension promises
 */
export function mimeOf(kind: FileKind, ext: string, head: Buffer): string | null {
  if (head.length < 4 || !kind_extensions[kind].includes(ext)) return null
  // The shortest archive is longer than the place where its first name stands.
  if (isZip(head) && head.length < 30) return ext === 'zip' && head.length === 22 ? 'application/zip' : null
  return formats[ext]?.find(format => format.is(head))?.mime ?? null
}

/** Every type that files of these extensions may have. */
export function extensionMimes(extensions: readonly string[]): string[] {
  return [...new Set(extensions.flatMap(ext => (formats[ext] ?? []).map(({ mime }) => mime)))]
}
