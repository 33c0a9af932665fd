import { z } from 'zod'

const Many = z.number().int().positive()

/** What `device_model.limits` says: the one description of that column. What a model does not name it is not limited in, or does not have. */
const ModelLimits = z.object({
  max_persons: Many, max_faces: z.number().int().min(0), max_cards: Many, rows_per_command: Many, faces_per_command: Many, photo_max_bytes: Many, packet_max_bytes: Many,
  photo_types: z.array(z.string()), password_lengths: z.array(Many),
  /** records that it keeps as long as nobody takes them */
  record_store: Many,
  /** cameras of a recorder */
  channels: Many,
  /** kinds of rows that come back without the hash they were sent with */
  loses_hash: z.array(z.string()),
}).partial()
export type ModelLimits = z.output<typeof ModelLimits>

/** The limits of a model. @throws Error naming the model when they are none: nobody guesses what hardware takes */
export function modelLimits({ model_code, limits }: { model_code: string; limits: unknown }): ModelLimits {
  const read = ModelLimits.safeParse(limits)
  if (!read.success) throw new Error(`the limits of model ${model_code} cannot be read: ${z.prettifyError(read.error)}`)
  return read.data
}
