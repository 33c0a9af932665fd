/** How a picture is cut: width to height, and the longest side that is kept. */
export type CropRule = { aspect: number; most: number }
export type Area = { x: number; y: number; width: number; height: number }

/** The chosen part of a picture as a PNG (what is transparent stays so), never enlarged. @throws when the browser cannot read it */
export async function cutPicture(file: File, area: Area, { most }: CropRule): Promise<File> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const part = Math.min(1, most / Math.max(area.width, area.height))
  const width = Math.max(1, Math.round(area.width * part))
  const height = Math.max(1, Math.round(area.height * part))
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('no canvas')
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(bitmap, area.x, area.y, area.width, area.height, 0, 0, width, height)
  bitmap.close()
  const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/png'))
  if (!blob) throw new Error('no picture')
  return new File([blob], `${file.name.replace(/\.[^.]*$/, '')}.png`, { type: 'image/png' })
}
