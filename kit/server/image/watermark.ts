import sharp from 'sharp'

const [tile_wide, tile_high, sign_px] = [420, 150, 20] as const
const jpeg_quality = 88
const fonts = "'Noto Sans CJK SC','Source Han Sans SC','Microsoft YaHei','WenQuanYi Zen Hei',sans-serif"

/** A machine without fonts draws nothing where a text should stand. */
export class NoFonts extends Error {}

/**
 * Burns a text into a picture, all over it and along its lower edge, so that no part of it leaves without the name of who took it.
 * @throws NoFonts when the machine cannot draw the text: a picture without it must not leave
 */
export async function burnIn(bytes: Buffer, text: string): Promise<Buffer> {
  const { width, height } = await sharp(bytes).metadata()
  const layer = await sharp(Buffer.from(drawnText(text, width, height))).ensureAlpha().png().toBuffer()
  const { channels } = await sharp(layer).stats()
  if ((channels[3]?.max ?? 0) === 0) throw new NoFonts('no font on this machine has the signs of the watermark')
  return sharp(bytes).composite([{ input: layer }]).flatten({ background: '#fff' }).jpeg({ quality: jpeg_quality }).toBuffer()
}

function drawnText(text: string, width: number, height: number): string {
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
  const style = `font-family="${fonts}" fill="#fff" stroke="#000" paint-order="stroke"`
  const tiles = Array.from({ length: Math.ceil(height / tile_high) + 1 }, (_, row) => Array.from({ length: Math.ceil(width / tile_wide) + 1 }, (__, at) => {
    const [x, y] = [at * tile_wide - (row % 2) * (tile_wide / 2), row * tile_high]
    return `<text x="${x}" y="${y}" transform="rotate(-20 ${x} ${y})" font-size="${sign_px}" stroke-width="2" opacity="0.35" ${style}>${safe}</text>`
  }).join('')).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${tiles}<text x="${width - 8}" y="${height - 8}" text-anchor="end" font-size="${Math.round(sign_px * 0.8)}" stroke-width="3" ${style}>${safe}</text></svg>`
}
