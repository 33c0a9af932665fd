import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import sharp from 'sharp'

/** Where faces are in the picture that comes with the detector, in pixels. */
const places = { woman: { left: 170, top: 0, width: 140, height: 130 }, man: { left: 380, top: 0, width: 130, height: 130 }, other: { left: 260, top: 455, width: 140, height: 160 }, nobody: { left: 600, top: 900, width: 200, height: 200 } } as const
export type Sitting = keyof typeof places
const width = 720
const package_folder = dirname(dirname(createRequire(import.meta.url).resolve('@vladmandic/human')))

/** A portrait cut out of the detector's own sample; `shift` takes a slightly other picture of the same face, `blur` spoils it. */
export async function portrait(of: Sitting, { shift = 0, blur = 0 }: { shift?: number; blur?: number } = {}): Promise<Buffer> {
  const place = { ...places[of], width: places[of].width - shift }
  const cut = await sharp(join(package_folder, 'assets', 'samples.jpg')).extract(place).resize(width, null, { kernel: 'cubic' }).jpeg({ quality: 95 }).toBuffer()
  return blur === 0 ? cut : sharp(cut).blur(blur).jpeg({ quality: 95 }).toBuffer()
}
