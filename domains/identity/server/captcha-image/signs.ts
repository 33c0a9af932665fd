/** Signs of a captcha: digits and capitals without those that look alike (0, 1, I, O). */
export const signs = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

export const sign_width = 5
export const sign_height = 7

// Seven rows of five dots a sign, one hex byte a row, in the order of `signs`.
const rows = [
  '0E11010204081F', '1F02040201110E', '02060A121F0202', '1F101E0101110E', '0608101E11110E', '1F010204080808', '0E11110E11110E', '0E11110F01020C',
  '0E1111111F1111', '1E11111E11111E', '0E11101010110E', '1C12111111121C', '1F10101E10101F', '1F10101E101010', '0E11101711110F', '1111111F111111',
  '0702020202120C', '11121418141211', '1010101010101F', '111B1515111111', '11111915131111', '1E11111E101010', '0E11111115120D', '1E11111E141211',
  '0F10100E01011E', '1F040404040404', '1111111111110E', '11111111110A04', '1111111515150A', '11110A040A1111', '1111110A040404', '1F01020408101F',
]

/** Whether the dot of a sign at (x, y) is inked; outside the sign nothing is. */
export function dotOf(sign: string, x: number, y: number): number {
  if (x < 0 || y < 0 || x >= sign_width || y >= sign_height) return 0
  const row = Number.parseInt(rows[signs.indexOf(sign)]?.slice(y * 2, y * 2 + 2) ?? '0', 16)
  return (row >> (sign_width - 1 - x)) & 1
}
