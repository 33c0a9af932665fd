import { dict } from '@kit/contract'

/** Grades of the product; class labels print their names (chapter 20 rule 10). */
export const GRADE = dict('GRADE', {
  '01': '小班', '02': '中班', '03': '大班',
  '11': '一年级', '12': '二年级', '13': '三年级', '14': '四年级', '15': '五年级', '16': '六年级',
  '21': '七年级', '22': '八年级', '23': '九年级',
  '31': '高一', '32': '高二', '33': '高三',
  '41': '中职一年级', '42': '中职二年级', '43': '中职三年级',
})

/** How an application of enrolment stands (chapter 20 §2). */
export const FRESHMAN_STATE = dict('FRESHMAN_STATE', {
  '0': '待提交', '1': '待审核', '2': '审核通过', '3': '审核驳回', '4': '已录取', '5': '未录取', '6': '已报到', '7': '放弃入学',
})

/** Kinds of departments the program branches on. */
export const DEPT_TYPE = dict('DEPT_TYPE', {
  '1': '学校', '2': '学部', '3': '年级', '4': '班级', '5': '行政部门', '6': '年级组', '7': '教研组', '8': '备课组',
  '9': '教学班(走班)', '10': '社团', '11': '企业部门', '99': '其他',
})

/** States of a pupil on the roll; every other state of STUDENT_STATE is a departure, which has no open span. */
export const roll_states = ['01', '02', '04', '12'] as const

/** Sex of a guardian told by the relation (PICKUP_RELATION); relations that tell nothing are absent. */
export const relation_sex: Readonly<Record<string, '1' | '2'>> = {
  '51': '1', '57': '1', '61': '1', '63': '1', '71': '1', '81': '1', '83': '1', '85': '1',
  '52': '2', '58': '2', '62': '2', '64': '2', '75': '2', '88': '2', '90': '2',
}

/** Kinds of change commands (chapter 20 §1.3); those of pupils are the codes of STUDENT_CHANGE_K12. */
export const CHANGE_KIND = dict('CHANGE_KIND', {
  IN: '转入', OUT: '转出', SUSPEND: '休学', RESUME: '复学', RETURN: '返校', QUIT: '退学', REPEAT: '留级', SKIP: '跳级', CLASS: '调班', GRAD: '毕业', UPGRADE: '升级',
  DEATH: '死亡', EXPEL: '开除学籍', LOST: '失踪', ABROAD: '出国', STAFF_IN: '入职', STAFF_MOVE: '调部门', STAFF_OUT: '离职', STAFF_RETURN: '返聘',
  ENROL: '入学', LINK: '监护关系', MERGE: '合并', DELETE: '删除',
})

/** Signs by which two files look like one human being (chapter 20 rule 20). */
export const MERGE_SIGNAL = dict('MERGE_SIGNAL', {
  mobile: '号码相同、姓名不同', name_birthday: '姓名、生日相同', name_guardian: '姓名、家长相同', face: '终端报告人脸重复', pinyin_class: '同班、姓名同音',
})

/** Where a grade or class goes at the end of the school year (chapter 20 §1.3). */
export const UPGRADE_ACTION = dict('UPGRADE_ACTION', { UPGRADE: '升级', GRADUATE: '毕业离校', CONTINUE: '升入下一学段', HOLD: '保持不变', CLOSE: '关闭' })
/** Pupils who do otherwise than their class. */
export const UPGRADE_EXCEPTION = dict('UPGRADE_EXCEPTION', { REPEAT: '留级', SKIP: '跳级', CLASS: '调班', OUT: '离校', STAY: '留校' })
