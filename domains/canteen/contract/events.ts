import { Day, event, id } from '@kit/contract'
import { z } from 'zod'

const Menu = z.object({ menu_id: id('canteen.menu'), place_id: id('places.place'), week_start: Day })

/** What the canteen tells the others (chapter 60 §7). */
export const canteenEvents = { published: event('canteen.menu.published', Menu), substituted: event('canteen.menu.substituted', Menu), withdrawn: event('canteen.menu.withdrawn', Menu) }
