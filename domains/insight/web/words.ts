import { readStored } from '@kit/web'

const enterprise = '2'

/** A word of the page as the school uses it: an enterprise has 员工 where a school has 教职工 (platform rule N5). */
export function inWords(text: string, school_type: string | null = readStored('school_type')): string {
  return school_type === enterprise ? text.replaceAll('教职工', '员工') : text
}
