import { most_in_batch } from '@campus/faces/contract'
import { unzip } from 'fflate'
import type { Chosen } from '@campus/faces/contract'

const picture = /\.(jpe?g|png)$/iu
const [most_zip_mb, most_picture_mb, mb] = [500, 20, 1024 * 1024] as const

/** The pictures of a folder or of archives, numbered in the order of their names. @throws Error with the sentence to show */
export async function readChosen(files: readonly File[]): Promise<Chosen[]> {
  const all: { file: File; file_name: string }[] = []
  for (const file of files) {
    if (/\.zip$/iu.test(file.name)) all.push(...(await unpack(file)))
    else if (picture.test(file.name)) all.push({ file, file_name: file.webkitRelativePath || file.name })
  }
  if (all.length === 0) throw new Error('没有找到JPG或PNG照片')
  if (all.length > most_in_batch) throw new Error(`一次最多导入${most_in_batch}张，请分批导入`)
  return all.toSorted((one, other) => one.file_name.localeCompare(other.file_name, 'zh-CN')).map((one, at) => ({ ...one, item_seq: at + 1 }))
}

async function unpack(archive: File): Promise<{ file: File; file_name: string }[]> {
  if (archive.size > most_zip_mb * mb) throw new Error(`压缩包超过${most_zip_mb}MB，请解压后选择文件夹`)
  const bytes = new Uint8Array(await archive.arrayBuffer())
  const entries = await new Promise<Record<string, Uint8Array<ArrayBuffer>>>((resolve, reject) => {
    // An entry that claims to become huge is left alone, as are hidden copies that some systems put beside the pictures.
    unzip(bytes, { filter: entry => picture.test(entry.name) && !entry.name.includes('__MACOSX') && entry.originalSize <= most_picture_mb * mb }, (fault, found) => (fault ? reject(new Error('压缩包无法读取，请重新压缩为ZIP格式')) : resolve(asOwn(found))))
  })
  return Object.entries(entries).map(([name, content]) => ({ file_name: name, file: new File([content], name.split('/').at(-1) ?? name, { type: /png$/iu.test(name) ? 'image/png' : 'image/jpeg' }) }))
}

/** Copies whose memory belongs to the page. */
function asOwn(found: Readonly<Record<string, Uint8Array>>): Record<string, Uint8Array<ArrayBuffer>> {
  return Object.fromEntries(Object.entries(found).map(([name, content]) => [name, new Uint8Array(content)]))
}
