import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'

dayjs.locale('zh-cn')

/** Days of the calendar in Chinese; whoever shows or picks one takes dayjs from here, so that nobody else has to load it. */
export { dayjs }
