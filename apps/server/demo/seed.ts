import { sampleTools } from '@campus/people/server'
import type { SampleTools } from '@campus/people/server'

/** The seed of all demo data. */
export const demo_seed = 'demo:900001'

/**
 * What invents the people of one subject of the demo, so that a change of one does not move all others.
 * @param mobiles_before staff mobiles that other schools have
 */
export function toolsOf(subject: string, mobiles_before = 0): SampleTools {
  return sampleTools(`${demo_seed}:${subject}`, mobiles_before)
}
