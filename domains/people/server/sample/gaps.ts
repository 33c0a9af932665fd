import type { Draw } from './draw.ts'
import type { InventedPupil } from './pupil.ts'

/** What offices often do not know of a pupil. */
const seldom_known = [
  'distance_km', 'commute', 'postcode', 'mail_address', 'home_address', 'preschool', 'blood', 'native_place', 'birth_division', 'hukou', 'left_behind', 'migrant_child', 'tel',
  'only_child', 'boarding_aid', 'need_aid',
] as const satisfies readonly (keyof InventedPupil)[]

const shares = { no_document: 0.025, no_roll_no: 0.02, thin_file: 0.08, gap_in_thin: 0.5, gap: 0.025 }

/** The same pupil as the files of a school that is used really are: some documents missing, some files thin, single gaps everywhere. */
export function withGaps(draw: Draw, pupil: InventedPupil): InventedPupil {
  const is_thin = draw.chance(shares.thin_file)
  const known = { ...pupil }
  for (const prop of seldom_known) if (draw.chance(is_thin ? shares.gap_in_thin : shares.gap)) known[prop] = null
  const has_document = !draw.chance(shares.no_document)
  const has_roll_no = has_document && !draw.chance(shares.no_roll_no)
  return { ...known, ...(has_document ? {} : { id_type: null, id_no: null }), ...(has_roll_no ? {} : { school_roll_no: null }) }
}
