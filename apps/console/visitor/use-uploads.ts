import { useRef, useState } from 'react'
import { useCaptcha } from './captcha-field.tsx'
import type { CaptchaDesk } from './captcha-field.tsx'
import { keepBrought, kindOf, most_files, readBrought } from './brought.ts'
import type { Brought } from './brought.ts'
import { errorsOf } from './visit.ts'
import type { Visit } from './visit.ts'
import { postUploads, sendFile } from './wire.ts'
import type { UploadForms } from './wire.ts'

/** What a family uploads: first a captcha, then files by material; `told` = what went wrong, by material or `captcha`. */
export type Uploads = {
  files: readonly Brought[]
  may_send: boolean
  busy: string | null
  told: Readonly<Record<string, string>>
  captcha: CaptchaDesk
  begin: () => Promise<void>
  add: (material: string, file: File) => Promise<void>
  remove: (file_key: string) => void
  forget: () => void
}

const spent = 403
const mebi = 1024 * 1024

export function useUploads(visit: Visit, is_asked: boolean): Uploads {
  const [files, setFiles] = useState<readonly Brought[]>(() => readBrought(visit))
  const [forms, setForms] = useState<UploadForms['forms'] | null>(null)
  const [busy, setBusy] = useState<string | null>(null)
  const [told, tell] = useState<Readonly<Record<string, string>>>({})
  const captcha = useCaptcha(is_asked)
  const serial = useRef(0)
  const put = (next: readonly Brought[]) => {
    setFiles(next)
    keepBrought(visit, next)
  }
  const begin = async () => {
    const answer = await postUploads(visit.key, captcha.proof())
    if (answer.kind === 'ok') {
      tell({})
      return setForms(answer.data.forms)
    }
    tell({ captcha: answer.kind === 'refused' ? (errorsOf(answer.data).captcha ?? answer.msg) : answer.msg })
    if (answer.kind === 'refused') await captcha.renew()
  }
  const refuse = (material: string, msg: string) => tell(now => ({ ...now, [material]: msg }))
  const add = async (material: string, file: File) => {
    const read = kindOf(file.name)
    const form = forms?.find(one => one.kind === read?.kind)
    if (!read || !form) return refuse(material, '只支持 JPG、PNG、WEBP 图片和 PDF')
    if (file.size === 0 || file.size > form.max_size) return refuse(material, file.size === 0 ? '文件是空的，请重新选择' : `文件不能超过${Math.floor(form.max_size / mebi)}MB`)
    if (files.filter(one => one.material === material).length >= most_files) return refuse(material, `最多上传${most_files}个文件`)
    setBusy(material)
    serial.current += 1
    const answer = await sendFile(form, `${serial.current}.${read.ext}`, file)
    setBusy(null)
    if (answer.kind === 'ok') {
      refuse(material, '')
      return put([...files, { material, file_key: answer.data.key, file_name: file.name }])
    }
    if (answer.kind === 'refused' && answer.status === spent) {
      setForms(null)
      await captcha.renew()
    }
    refuse(material, answer.kind === 'refused' && answer.status === spent ? '上传时间已过，请重新输入验证码后再上传' : answer.msg)
  }
  return {
    files, busy, told, captcha, begin, add, may_send: forms !== null,
    remove: file_key => put(files.filter(one => one.file_key !== file_key)),
    forget: () => keepBrought(visit, null),
  }
}
