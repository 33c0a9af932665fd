import { uploadName } from '@kit/contract/checks'
import { Refused } from './ask.ts'

/** A form of the store: fields as they are, `key` = `dir` and a name, the file last. */
type StoreForm = { host: string; dir: string; fields: Readonly<Record<string, string>>; max_size: number }
/** Long side of a photo: print on a page of A4 is still read. */
const most_px = 1600
const quality = 0.9
const faulty = '图片上传失败，请检查图片是否正常'

/** Sends a photo, smaller and without what the camera wrote into it, and answers its key. Throws Refused. */
export async function sendPicture({ host, dir, fields, max_size }: StoreForm, school_id: number, file: File): Promise<string> {
  const picture = await drawn(file).catch(() => null)
  if (picture === null) throw new Refused(0, 415, faulty)
  if (picture.size > max_size) throw new Refused(0, 413, `文件大小不能超过${Math.floor(max_size / 1_048_576)}MB`)
  const name = uploadName(school_id, Date.now(), Math.random())
  const form = new FormData()
  for (const [field, value] of Object.entries({ key: dir + name, ...fields })) form.append(field, value)
  form.append('file', picture, name)
  const answer = await fetch(host, { method: 'POST', body: form }).catch(() => null)
  if (answer === null) throw new Refused(0, 0, '网络异常，请检查网络')
  if (!answer.ok) throw new Refused(answer.status, answer.status, faulty)
  return dir + name
}

async function drawn(file: File): Promise<Blob | null> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const part = Math.min(1, most_px / Math.max(bitmap.width, bitmap.height))
  const canvas = Object.assign(document.createElement('canvas'), {
    width: Math.round(bitmap.width * part),
    height: Math.round(bitmap.height * part),
  })
  const pen = canvas.getContext('2d')
  if (!pen) return null
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  return new Promise(resolve => canvas.toBlob(resolve, 'image/jpeg', quality))
}
