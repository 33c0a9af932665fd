import iconv from 'iconv-lite'
import { SheetRefused } from './refusal.ts'

/**
 * Decodes a text file from a school's computer: by its mark (UTF-8, UTF-16), else as strict UTF-8, else as GB18030, which
 * holds GBK. A file that is none of them is refused, never guessed at: a wrong sign in a name is worse than a refusal.
 */
export function decodeText(file: Buffer): string {
  const marked = markedEncoding(file)
  const text = marked ? strict(file, marked) : (strict(file, 'utf-8') ?? chinese(file))
  if (text === undefined || text.includes('\0')) throw new SheetRefused('bad_encoding')
  return text
}

function markedEncoding(file: Buffer): string | undefined {
  if (file[0] === 0xff && file[1] === 0xfe) return 'utf-16le'
  if (file[0] === 0xfe && file[1] === 0xff) return 'utf-16be'
  if (file[0] === 0xef && file[1] === 0xbb && file[2] === 0xbf) return 'utf-8'
  return undefined
}

function strict(file: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(file)
  } catch {
    return undefined
  }
}

function chinese(file: Buffer): string | undefined {
  const text = iconv.decode(file, 'gb18030')
  return text.includes('\ufffd') ? undefined : text
}
