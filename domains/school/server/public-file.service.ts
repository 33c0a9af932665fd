import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { commonErrors, fail } from '@kit/contract'
import type { FileReply, Pre } from '@kit/server/http'

/** Pictures only; anything else under a public purpose does not exist for the outside. */
const picture_types: Record<string, string> = { '.svg': 'image/svg+xml', '.png': 'image/png', '.jpg': 'image/jpeg', '.jpeg': 'image/jpeg', '.gif': 'image/gif' }

/**
 * A logo or login picture, for everybody.
 * @throws Refusal 404 when there is none
 */
export async function readPublicFile(pre: Pre, file_key: string, file_name: string): Promise<FileReply> {
  const mime = picture_types[extname(file_name).toLowerCase()]
  const body = mime === undefined ? null : await readFile(pre.app.files.pathOf(file_key)).catch(() => null)
  if (mime === undefined || body === null) throw fail(commonErrors.notFound)
  return { file_name, mime, body }
}
