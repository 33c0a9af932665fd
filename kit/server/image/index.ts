import sharp from 'sharp'

/** How large a picture may become at most. */
export type PictureFit = { width: number; height: number }
export type Picture = { bytes: Buffer; width: number; height: number; mime: string }

/** More than any camera of a school takes; a small file that claims more would fill the memory. */
const most_pixels = 60_000_000
const jpeg_quality = 92
const reading = { limitInputPixels: most_pixels, failOn: 'error' } as const

/**
 * Writes a picture anew in its own format: turned upright, never enlarged, nothing but its pixels left (no EXIF, no appended data). A GIF goes on moving.
 * @param fit without it the picture keeps its size
 * @returns null when the bytes are no JPEG, PNG, GIF or WEBP that can be read
 */
export async function rewritePicture(bytes: Buffer, fit?: PictureFit): Promise<Picture | null> {
  const { format = '' } = await sharp(bytes, reading).metadata().catch(() => ({ format: '' }))
  if (!isKept(format)) return null
  const upright = format === 'gif' ? sharp(bytes, { ...reading, animated: true }) : sharp(bytes, reading).rotate()
  const fitted = fit ? upright.resize({ ...fit, fit: 'inside', withoutEnlargement: true }) : upright
  const encoded = format === 'jpeg' ? fitted.flatten({ background: '#fff' }).jpeg({ quality: jpeg_quality }) : fitted.toFormat(format)
  const made = await encoded.toBuffer({ resolveWithObject: true }).catch(() => null)
  return made && { bytes: made.data, width: made.info.width, height: made.info.pageHeight ?? made.info.height, mime: `image/${format}` }
}

/** A smaller picture for lists: `width` at most, never enlarged, in the same format (of a GIF the first frame). Null when it cannot be read. */
export function makeThumb(source: string | Buffer, width: number): Promise<Buffer | null> {
  return sharp(source, reading).rotate().resize({ width, withoutEnlargement: true }).toBuffer().catch(() => null)
}

function isKept(format: string): format is 'jpeg' | 'png' | 'gif' | 'webp' {
  return ['jpeg', 'png', 'gif', 'webp'].includes(format)
}

/** A drawing in SVG as a JPEG of its own size. */
export async function drawJpeg(svg: string): Promise<Picture> {
  const { data, info } = await sharp(Buffer.from(svg)).flatten({ background: '#fff' }).jpeg({ quality: jpeg_quality }).toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.height, mime: 'image/jpeg' }
}
