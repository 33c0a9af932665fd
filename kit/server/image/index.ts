import sharp from 'sharp'

export { burnIn, NoFonts } from './watermark.ts'

/** How large a picture may become at most. */
export type PictureFit = { width: number; height: number }
export type Picture = { bytes: Buffer; width: number; height: number; mime: string }

/** More than any camera of a school takes; a small file that claims more would fill the memory. */
const most_pixels = 60_000_000
const jpeg_quality = 92
const probe_width = 16
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

/** Whether a picture can be read to its end. */
function isWhole(bytes: Buffer): Promise<boolean> {
  return sharp(bytes, reading).resize(probe_width).raw().toBuffer().then(() => true, () => false)
}

function isKept(format: string): format is 'jpeg' | 'png' | 'gif' | 'webp' {
  return ['jpeg', 'png', 'gif', 'webp'].includes(format)
}

/** A drawing in SVG as a JPEG of its own size. */
export async function drawJpeg(svg: string): Promise<Picture> {
  const { data, info } = await sharp(Buffer.from(svg)).flatten({ background: '#fff' }).jpeg({ quality: jpeg_quality }).toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.height, mime: 'image/jpeg' }
}

/** The longest side a JPEG may have, landscape or square and portrait, and its bytes. */
export type JpegBound = { landscape: number; portrait: number; most_bytes: number }
/** Worse and worse, until it is small enough. */
const qualities = [jpeg_quality, 84, 76, 68, 60, 50, 40] as const
/** EXIF: as it lies; from this on its sides are exchanged. */
const [as_it_lies, turned] = [1, 5] as const

/** A picture as a JPEG within bounds, upright; one that is such already stays as it is. @returns `unreadable` or `too_big` for what cannot be one */
export async function fitJpeg(bytes: Buffer, { landscape, portrait, most_bytes }: JpegBound): Promise<Picture | 'too_big' | 'unreadable'> {
  const facts = await sharp(bytes, reading).metadata().catch(() => null)
  if (!facts) return 'unreadable'
  const { format, exif, orientation = as_it_lies } = facts
  const [width, height] = orientation < turned ? [facts.width, facts.height] : [facts.height, facts.width]
  const longest = height > width ? portrait : landscape
  if (format === 'jpeg' && !exif && orientation === as_it_lies && Math.max(width, height) <= longest && bytes.length <= most_bytes) return (await isWhole(bytes)) ? { bytes, width, height, mime: 'image/jpeg' } : 'unreadable'
  for (const quality of qualities) {
    const fitted = sharp(bytes, reading).rotate().resize({ width: longest, height: longest, fit: 'inside', withoutEnlargement: true }).flatten({ background: '#fff' }).jpeg({ quality })
    const made = await fitted.toBuffer({ resolveWithObject: true }).catch(() => null)
    if (!made) return 'unreadable'
    if (made.data.length <= most_bytes) return { bytes: made.data, width: made.info.width, height: made.info.height, mime: 'image/jpeg' }
  }
  return 'too_big'
}
