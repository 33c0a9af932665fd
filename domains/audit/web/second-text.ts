import { instantText } from '@kit/web'

/** An instant to the second, in the time of the school. */
export function secondText(instant: string): string {
  return `${instantText(instant)}:${instant.slice(17, 19)}`
}
