import type { Camera } from '@campus/devices/contract'
import { instantText, secondText } from '@kit/web'

const [step_x, step_y, turn, bar] = [360, 180, -0.35, 40]

/** Saves what a tile shows as a file, with the camera, the time and who kept it written over it. */
export async function keepPicture(source: HTMLImageElement | HTMLVideoElement, { camera, viewer, at }: { camera: Camera; viewer: string; at: string | null }): Promise<void> {
  const [width, height] = source instanceof HTMLImageElement ? [source.naturalWidth, source.naturalHeight] : [source.videoWidth, source.videoHeight]
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width, height: height + bar })
  const pen = canvas.getContext('2d')
  if (!pen || width === 0) throw new Error('nothing to keep')
  pen.drawImage(source, 0, 0, width, height)
  const now = new Date().toISOString()
  drawMark(pen, { width, height, text: `${viewer} ${instantText(now)}` })
  drawBar(pen, { width, height, text: `${camera.node_path_name ?? ''} ${camera.device_name}　画面时间 ${secondText(at ?? now)}` })
  const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/jpeg', 0.92))
  if (!blob) throw new Error('no picture')
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = `${camera.device_name} ${instantText(now).replace(/[: ]/gu, '-')}.jpg`
  link.click()
  URL.revokeObjectURL(address)
}

type Written = { width: number; height: number; text: string }

function drawMark(pen: CanvasRenderingContext2D, { width, height, text }: Written): void {
  pen.save()
  pen.rotate(turn)
  pen.font = '22px sans-serif'
  pen.fillStyle = 'rgba(255, 255, 255, 0.45)'
  pen.strokeStyle = 'rgba(0, 0, 0, 0.25)'
  for (let y = 0; y < height + width; y += step_y) {
    for (let x = -height; x < width; x += step_x) {
      pen.strokeText(text, x, y)
      pen.fillText(text, x, y)
    }
  }
  pen.restore()
}

function drawBar(pen: CanvasRenderingContext2D, { width, height, text }: Written): void {
  pen.fillStyle = '#141414'
  pen.fillRect(0, height, width, bar)
  pen.fillStyle = '#ffffff'
  pen.font = '20px sans-serif'
  pen.fillText(text, 12, height + 27, width - 24)
}
