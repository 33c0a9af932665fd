import { cardChannel } from '@campus/devices/contract'
import type { CardRead } from '@campus/devices/contract'
import { useChannel } from '@kit/web'

/** Hears the readings of a place and of everything in it; draws nothing. */
export function CardEar({ place_id, heard, missed }: { place_id: string; heard: (reads: CardRead[]) => void; missed: () => void }): null {
  useChannel(cardChannel, heard, { of: place_id, onGap: missed })
  return null
}
