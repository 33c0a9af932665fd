import { faceApi, faceConsentApi } from '@campus/faces/contract'
import type { FacePerson } from '@campus/faces/contract'
import { AppModal, call, confirmDanger, toast } from '@kit/web'
import { PictureField } from '@kit/web/upload'
import type { CropRule, UploadRule } from '@kit/web/upload'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Frame = { person: FacePerson; onClose: () => void; onDone: () => void }
const photo: UploadRule = { purpose: 'face', prepare: 'photo' }
const paper: UploadRule = { purpose: 'person_file', prepare: 'photo' }
/** A portrait, three to four. */
const crop: CropRule = { aspect: 3 / 4, most: 1280 }
const file_source = 2

/** 采集: one person's photograph, cut and looked at before it replaces anything (chapter 40 §5). */
export function CaptureDialog({ person, onClose, onDone }: Frame): ReactNode {
  const [address, setAddress] = useState(person.thumb_url ?? person.candidate?.thumb_url ?? null)
  const [said, say] = useState<string | null>(null)
  const save = async (face_pics: string) => {
    if (!(await mayCollect(person))) return
    const { outcome, alike, consent } = await call(faceApi.set, { user_id: person.user_id, face_pics, source: file_source }, { quiet: true })
    onDone()
    setAddress(null)
    say(savedText(outcome, alike, consent))
    if (outcome === 'current' && consent === 'given') {
      toast.success(`已采集：${person.user_name}`)
      onClose()
    }
  }
  return (
    <AppModal open width={640} title={`采集人脸 · ${person.user_name}（${person.dept_name ?? person.user_no}）`} footer={null} onCancel={onClose}>
      {said !== null && <Alert type="info" showIcon title={said} />}
      <div className="face-capture">
        <PictureField title="照片" rule={photo} crop={crop} address={address} hint="JPG或PNG，5MB以内" onChange={save} />
        <div>
          <p>照片要求</p>
          <ul>
            <li>正面免冠，五官清晰，面部无遮挡</li>
            <li>光线均匀，不过亮、不过暗</li>
            <li>单人照片，面部占画面三分之一以上</li>
            <li>上传后自动检测，不合格的照片不会替换原照片</li>
          </ul>
        </div>
      </div>
    </AppModal>
  )
}

/** Nobody is collected without having been asked (chapter 40 rule 32). */
export async function mayCollect(person: FacePerson): Promise<boolean> {
  if (person.consent !== 'none') return true
  const goes_on = await confirmDanger({ title: '该人员尚未完成人脸信息授权，是否发送授权确认并继续采集？', ok: '是' })
  if (goes_on) await call(faceConsentApi.remind, { user_ids: [person.user_id] }, { quiet: true })
  return goes_on
}

/** What has become of a picture, in words. */
export function savedText(outcome: string, alike: string | null, consent: string): string {
  if (outcome === 'same') return '照片未变'
  if (alike !== null) return `照片与${alike}相似，请在“核验”中确认是否为同一人`
  if (outcome === 'candidate') return '照片已保存，检测未完成，请人工核验'
  return consent === 'given' ? '已采集，正在下发到设备' : '已采集，授权后自动下发到设备'
}

/** 登记纸质授权: a signed paper, which another person has to look at. */
export function PaperDialog({ person, onClose, onDone }: Frame): ReactNode {
  const is_review = person.consent === 'paper'
  const save = async (file_key: string) => {
    await call(faceConsentApi.paper, { user_id: person.user_id, file_key }, { quiet: true })
    toast.success('已登记，等待另一位工作人员复核')
    onDone()
    onClose()
  }
  const review = async (passed: boolean) => {
    await call(faceConsentApi.review, { user_id: person.user_id, passed })
    toast.success(passed ? '授权已生效' : '已退回')
    onDone()
    onClose()
  }
  if (is_review) {
    return (
      <AppModal open width={480} title={`复核纸质授权 · ${person.user_name}`} okText="通过" onOk={() => void review(true)} onCancel={onClose}>
        <p>请核对签字扫描件与人员一致。通过后授权立即生效，照片下发到设备。</p>
        <Button danger onClick={() => void review(false)}>退回重新登记</Button>
      </AppModal>
    )
  }
  return (
    <AppModal open width={480} title={`登记纸质授权 · ${person.user_name}`} footer={null} onCancel={onClose}>
      <p>上传本人或监护人签字的授权书扫描件，由另一位工作人员复核后生效。</p>
      <PictureField title="扫描件" rule={paper} address={null} onChange={save} />
    </AppModal>
  )
}
