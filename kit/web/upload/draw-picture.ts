import { pictureSize } from '@kit/contract/checks'

const jpeg_quality = 0.92
type Pen = Pick<CanvasRenderingContext2D, 'drawImage' | 'fillRect'> & { fillStyle: unknown; imageSmoothingQuality: unknown }

/** Draws a decoded picture in the size in which it is sent, upright and on white (platform rule F4); runs in a page and in a worker alike. */
function paint(pen: Pen, bitmap: ImageBitmap, width: number, height: number): void {
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, width, height)
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(bitmap, 0, 0, width, height)
}

/** A picture as it is sent, drawn off the screen. @throws when the browser cannot read it */
export async function drawOffscreen(file: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const { width, height } = pictureSize(bitmap.width, bitmap.height)
  const canvas = new OffscreenCanvas(width, height)
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('no canvas')
  paint(pen, bitmap, width, height)
  bitmap.close()
  return canvas.convertToBlob({ type: 'image/jpeg', quality: jpeg_quality })
}

/** The same for browsers without a canvas of their own for workers. */
export async function drawOnPage(file: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const { width, height } = pictureSize(bitmap.width, bitmap.height)
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('no canvas')
  paint(pen, bitmap, width, height)
  bitmap.close()
  return new Promise((resolve, reject) => canvas.toBlob(blob => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/jpeg', jpeg_quality))
}
