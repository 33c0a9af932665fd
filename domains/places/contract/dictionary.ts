import { dict } from '@kit/contract'

/** Kinds of places the program branches on; the school's own words for them are in the dictionary PLACE_KIND. */
export const PLACE_KIND = dict('PLACE_KIND', {
  '1': '校区', '2': '楼栋', '3': '楼层', '4': '普通教室', '5': '专用教室', '6': '实验室', '7': '办公室', '8': '会议室', '9': '校门', '10': '宿舍楼', '11': '宿舍房间', '12': '食堂',
  '13': '食堂窗口', '14': '图书馆', '15': '体育场馆', '16': '操场', '17': '报告厅', '18': '医务室', '19': '机房', '20': '停车场', '21': '校车站', '22': '走廊', '23': '卫生间',
  '24': '浴室(开水房)', '25': '心理室', '26': '档案室', '27': '监控室', '28': '校车', '99': '其他',
})

/** Where nobody may be filmed, whatever the school says (chapter 30 §1.1). */
export const private_kinds: readonly number[] = [11, 23, 24]
/** Rooms that a class can live in; the plain classroom first. */
export const classroom_kinds: readonly number[] = [4, 5]
/** Buses are made by transport, never by hand. */
export const bus_kind = 28
export const campus_kind = 1
export const building_kinds: readonly number[] = [2, 10]
export const floor_kind = 3
