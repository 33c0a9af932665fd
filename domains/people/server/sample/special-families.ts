import type { Sex } from './names.ts'

/** A family whose names must survive every step: middle dots, no surname, several scripts, rare signs, great length. */
export type SpecialFamily = {
  father: string
  mother: string
  /** the first child stands first in every sample */
  children: readonly { user_name: string; sex: Sex }[]
  nation: string
  country?: string
  gatqw?: string
  id_type?: string
}

/** 少数民族, foreign and unusual names; codes of NATION, COUNTRY, GATQW, ID_TYPE. */
export const special_families: readonly SpecialFamily[] = [
  { father: '买买提·吐尔逊', mother: '帕提古丽·艾合买提', children: [{ user_name: '阿依古丽·买买提', sex: '2' }], nation: '05' },
  { father: '热合曼江·卡德尔', mother: '古丽娜尔·玉素甫', children: [{ user_name: '尼格买提·热合曼江', sex: '1' }], nation: '05' },
  { father: '扎西顿珠', mother: '次仁央宗', children: [{ user_name: '卓玛', sex: '2' }], nation: '04' },
  { father: '欧阳志远', mother: '林秀芳', children: [{ user_name: '欧阳若曦', sex: '2' }], nation: '01' },
  { father: '诸葛文博', mother: '周静', children: [{ user_name: '诸葛安', sex: '1' }], nation: '01' },
  { father: '张建国', mother: '王丽', children: [{ user_name: '张王子涵', sex: '2' }], nation: '01' },
  { father: '李卫东', mother: '赵敏', children: [{ user_name: '李㐀', sex: '1' }], nation: '01' },
  { father: '陈立新', mother: '孙红', children: [{ user_name: '陈𠀀', sex: '1' }], nation: '01' },
  { father: 'Thomas Müller', mother: '李雪梅', children: [{ user_name: 'Anna Müller', sex: '2' }], nation: '97', country: 'DEU', gatqw: '51', id_type: 'A' },
  { father: '김성호', mother: '이지은', children: [{ user_name: '김민준', sex: '1' }], nation: '97', country: 'KOR', gatqw: '51', id_type: 'A' },
  { father: '阿卜杜喀迪尔·麦麦提明', mother: '罕祖热古丽·图尔荪托合提', children: [{ user_name: '阿卜杜热西提·阿卜杜喀迪尔', sex: '1' }], nation: '05' },
  { father: '叶尔江·巴合提', mother: '阿依努尔·赛力克', children: [{ user_name: '加依娜·叶尔江', sex: '2' }], nation: '17' },
  { father: '巴特尔', mother: '乌云其其格', children: [{ user_name: '娜仁托娅', sex: '2' }], nation: '02' },
  { father: '阿曼吐尔·朱马别克', mother: '古丽扎提·吐尔地', children: [{ user_name: '努尔别克·阿曼吐尔', sex: '1' }], nation: '29' },
  { father: '阿吉拉则', mother: '曲比阿英', children: [{ user_name: '阿吉木呷', sex: '1' }], nation: '07' },
  { father: '朴哲浩', mother: '崔善姬', children: [{ user_name: '朴智恩', sex: '2' }], nation: '10' },
  { father: '单国强', mother: '仇小燕', children: [{ user_name: '单思远', sex: '1' }], nation: '01' },
  { father: '解放', mother: '区慧敏', children: [{ user_name: '解语花', sex: '2' }], nation: '01' },
]
