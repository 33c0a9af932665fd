import { faceApi } from '@campus/faces/contract'
import type { FacePerson } from '@campus/faces/contract'
import { AppModal, call, sentenceOf } from '@kit/web'
import { useUploader } from '@kit/web/upload'
import type { UploadRule } from '@kit/web/upload'
import { Alert, Button, Select } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { mayCollect, savedText } from './capture-dialog.tsx'

type Props = { people: readonly FacePerson[]; onClose: () => void; onDone: () => void }
type Said = { text: string; is_fault: boolean }
type Shot = { file: File; address: string }

const rule: UploadRule = { purpose: 'face', prepare: 'photo' }
const camera_source = 1
const portrait = { width: 720, height: 960 }
const [dark, bright] = [60, 200] as const
const probe_px = 32
const look_ms = 500
const insecure = '当前页面非安全连接，无法使用摄像头，请使用 HTTPS 访问或选择文件采集'

/** 摄像头采集: one person after the other; Space takes the picture, Enter keeps it, Esc takes another (chapter 40 §5). */
export function CameraDialog({ people, onClose, onDone }: Props): ReactNode {
  const [at, setAt] = useState(0)
  const [said, say] = useState<Said | null>(null)
  const person = people[at]
  const kept = (words: Said) => {
    say(words)
    if (words.is_fault) return
    onDone()
    setAt(at + 1)
  }
  return (
    <AppModal open width={640} title={titleOf(person, at, people.length)} footer={null} onCancel={onClose}>
      {said !== null && <Alert type={said.is_fault ? 'warning' : 'info'} showIcon title={said.text} />}
      {person ? <Camera key={at} person={person} onKept={kept} onSkip={() => setAt(at + 1)} /> : <p>本次人员已采集完，可以关闭窗口。</p>}
    </AppModal>
  )
}

type CameraProps = { person: FacePerson; onKept: (said: Said) => void; onSkip: () => void }

function Camera({ person, onKept, onSkip }: CameraProps): ReactNode {
  const [shot, setShot] = useState<Shot | null>(null)
  const [busy, setBusy] = useState(false)
  const video = useRef<HTMLVideoElement>(null)
  const { cameras, choose, chosen, fault } = useCamera(video)
  const hint = useLight(video, shot === null && fault === null)
  const save = useSave(person, onKept)
  const retake = () => {
    if (shot) URL.revokeObjectURL(shot.address)
    setShot(null)
  }
  const take = async () => {
    const file = video.current && (await frameOf(video.current))
    if (file) setShot({ file, address: URL.createObjectURL(file) })
  }
  const keep = async () => {
    if (!shot || busy) return
    setBusy(true)
    await save(shot.file)
    setBusy(false)
    retake()
  }
  useKeys(shot === null ? { ' ': take } : { Enter: keep, Escape: retake })
  if (fault !== null) return <Alert type="error" showIcon title={fault} />
  return (
    <div className="face-camera">
      {cameras.length > 1 && <Select aria-label="摄像头" className="kit-fill" value={chosen} options={cameras} onChange={choose} />}
      <div className="face-stage">
        <video ref={video} autoPlay muted playsInline hidden={shot !== null} aria-label="摄像头画面" />
        {shot ? <img src={shot.address} alt={`${person.user_name}的照片`} /> : <i aria-hidden />}
      </div>
      <p role="status">{shot ? '确认照片后保存，或重新拍摄' : (hint ?? '请正对镜头，面部对准椭圆框')}</p>
      <div className="face-buttons">
        <Button onClick={shot ? retake : onSkip} disabled={busy}>{shot ? '重拍（Esc）' : '跳过'}</Button>
        <Button type="primary" loading={busy} onClick={() => void (shot ? keep() : take())}>{shot ? '保存并继续（Enter）' : '拍照（空格）'}</Button>
      </div>
    </div>
  )
}

/** Sends a picture and takes it as the person's; says what has become of it. */
function useSave(person: FacePerson, onKept: (said: Said) => void): (file: File) => Promise<void> {
  const uploader = useUploader(rule)
  return async file => {
    if (!(await mayCollect(person))) return
    try {
      const { file_key } = await uploader.send(file)
      const body = { user_id: person.user_id, face_pics: file_key, source: camera_source } as const
      const { outcome, alike, consent } = await call(faceApi.set, body, { quiet: true })
      onKept({ text: `${person.user_name}：${savedText(outcome, alike, consent)}`, is_fault: false })
    } catch (cause) {
      onKept({ text: `${person.user_name}：${sentenceOf(cause)}`, is_fault: true })
    }
  }
}

/** Keys of the open dialog; a button that has the focus keeps its own. */
function useKeys(acts: Readonly<Record<string, () => unknown>>): void {
  const latest = useRef(acts)
  useEffect(() => {
    latest.current = acts
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const act = Object.entries(latest.current).find(([key]) => key === event.key)?.[1]
      if (!act || (event.key !== 'Escape' && event.target instanceof HTMLButtonElement)) return
      event.preventDefault()
      // Esc would close the dialog.
      event.stopPropagation()
      act()
    }
    window.addEventListener('keydown', press, true)
    return () => window.removeEventListener('keydown', press, true)
  }, [])
}

function titleOf(person: FacePerson | undefined, at: number, total: number): string {
  return person ? `摄像头采集 · ${person.user_name}（${person.dept_name ?? person.user_no}） ${at + 1}/${total}` : '摄像头采集'
}

/** The picture of a camera on the page; stops with the page. */
function useCamera(video: { current: HTMLVideoElement | null }) {
  const [cameras, setCameras] = useState<{ value: string; label: string }[]>([])
  const [chosen, choose] = useState<string>()
  const [fault, setFault] = useState<string | null>(window.isSecureContext ? null : insecure)
  useEffect(() => {
    if (!window.isSecureContext) return
    let stream: MediaStream | undefined
    let is_over = false
    const stop = () => stream?.getTracks().forEach(track => track.stop())
    const open = async () => {
      stream = await navigator.mediaDevices.getUserMedia({ video: chosen === undefined ? { facingMode: 'user' } : { deviceId: chosen } })
      if (is_over) return stop()
      if (video.current) show(video.current, stream)
      const found = await navigator.mediaDevices.enumerateDevices()
      setCameras(found.filter(one => one.kind === 'videoinput').map((one, nth) => ({ value: one.deviceId, label: one.label || `摄像头${nth + 1}` })))
    }
    open().catch((cause: unknown) => setFault(faultOf(cause)))
    return () => {
      is_over = true
      stop()
    }
  }, [chosen, video])
  return { cameras, chosen, choose, fault }
}

function show(video: HTMLVideoElement, stream: MediaStream): void {
  video.srcObject = stream
}

function faultOf(cause: unknown): string {
  const name = cause instanceof Error ? cause.name : ''
  return name === 'NotAllowedError' ? '浏览器未允许使用摄像头，请在地址栏授权后重试' : '没有可用的摄像头，请检查连接或选择文件采集'
}

/** Whether the picture is too dark or too bright, by the eye of the browser; the server decides. */
function useLight(video: { current: HTMLVideoElement | null }, on: boolean): string | null {
  const [hint, setHint] = useState<string | null>(null)
  useEffect(() => {
    if (!on) return
    const timer = window.setInterval(() => setHint(video.current ? lightHint(video.current) : null), look_ms)
    return () => window.clearInterval(timer)
  }, [on, video])
  return hint
}

function lightHint(video: HTMLVideoElement): string | null {
  const pen = Object.assign(document.createElement('canvas'), { width: probe_px, height: probe_px }).getContext('2d')
  if (!pen || video.videoWidth === 0) return null
  pen.drawImage(video, 0, 0, probe_px, probe_px)
  const { data } = pen.getImageData(0, 0, probe_px, probe_px)
  const mean = data.reduce((sum, value, index) => (index % 4 === 3 ? sum : sum + value), 0) / (probe_px * probe_px * 3)
  return mean < dark ? '光线过暗' : mean > bright ? '光线过亮' : null
}

/** The middle of the picture, three to four. */
async function frameOf(video: HTMLVideoElement): Promise<File | null> {
  const { videoWidth: width, videoHeight: height } = video
  const canvas = Object.assign(document.createElement('canvas'), portrait)
  const pen = canvas.getContext('2d')
  if (!pen || width === 0) return null
  const part = Math.min(width / portrait.width, height / portrait.height)
  const [cut_width, cut_height] = [portrait.width * part, portrait.height * part]
  pen.drawImage(video, (width - cut_width) / 2, (height - cut_height) / 2, cut_width, cut_height, 0, 0, portrait.width, portrait.height)
  const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/jpeg', 0.92))
  return blob && new File([blob], 'camera.jpg', { type: 'image/jpeg' })
}
