import { Alert, Slider } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import Cropper from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import { AppModal } from '../page/app-modal.tsx'
import { cutPicture } from './crop.ts'
import type { Area, CropRule } from './crop.ts'

type Props = { file: File; title: string; rule: CropRule; onCut: (file: File) => void; onCancel: () => void }

const most_zoom = 4

/** Lets a person choose the part of a picture that is kept: drag, wheel or slider; the arrow keys move it too. */
export function CropDialog({ file, title, rule, onCut, onCancel }: Props): ReactNode {
  const address = useMemo(() => URL.createObjectURL(file), [file])
  useEffect(() => () => URL.revokeObjectURL(address), [address])
  const [place, setPlace] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<Area | null>(null)
  const [failed, setFailed] = useState(false)
  const [cutting, setCutting] = useState(false)
  const cut = async () => {
    if (!area || cutting) return
    setCutting(true)
    await cutPicture(file, area, rule).then(onCut, () => setFailed(true))
    setCutting(false)
  }
  return (
    <AppModal open title={`裁剪${title}`} width={520} okText="确定" okButtonProps={{ disabled: area === null || failed }} confirmLoading={cutting} onOk={() => void cut()} onCancel={onCancel}>
      {failed && <Alert type="error" showIcon title="图片上传失败，请检查图片是否正常" />}
      <p className="crop-hint">拖动图片选取保留的部分，滚轮或滑块缩放</p>
      <div className="crop-stage">
        <Cropper
          image={address} crop={place} zoom={zoom} maxZoom={most_zoom} aspect={rule.aspect} onCropChange={setPlace} onZoomChange={setZoom} onCropComplete={(_part, pixels) => setArea(pixels)}
          restrictPosition keyboardStep={5} disableAutomaticStylesInjection mediaProps={{ alt: '', onError: () => setFailed(true) }} cropperProps={{ role: 'group', 'aria-label': '选取范围，方向键移动' }}
        />
      </div>
      <div className="crop-zoom">
        <span aria-hidden>缩放</span>
        <Slider min={1} max={most_zoom} step={0.05} value={zoom} onChange={setZoom} tooltip={{ formatter: value => `${(value ?? 1).toFixed(2)}倍` }} ariaLabelForHandle="缩放" />
      </div>
    </AppModal>
  )
}
