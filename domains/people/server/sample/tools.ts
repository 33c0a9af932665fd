import { drawFrom } from './draw.ts'
import type { Draw } from './draw.ts'
import { nameMaker } from './names.ts'
import type { NameMaker } from './names.ts'
import { inventor } from './numbers.ts'
import type { Inventor } from './numbers.ts'

/** What invents the people of one school: the same seed gives the same people, and no number comes twice. */
export type SampleTools = { draw: Draw; names: NameMaker; invent: Inventor }

/** Makes them; `mobiles_before` leaves out so many mobiles of the staff's block, which other schools have. */
export function sampleTools(seed: string, mobiles_before = 0): SampleTools {
  const draw = drawFrom(seed)
  return { draw, names: nameMaker(draw), invent: inventor(draw, mobiles_before) }
}
