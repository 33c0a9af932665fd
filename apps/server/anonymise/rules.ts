/**
 * What becomes of a column: an SQL expression over the row, or `as_is` when nothing in it belongs to a person. Expressions are functions of the person's id, so that the
 * same person has the same invented name everywhere.
 */
export type Rule = string
export const as_is = 'as_is'
const nothing = 'null'

const surnames: readonly (readonly [string, string])[] = [['王', 'wang'], ['李', 'li'], ['张', 'zhang'], ['刘', 'liu'], ['陈', 'chen'], ['杨', 'yang'], ['赵', 'zhao'], ['黄', 'huang'], ['周', 'zhou'], ['吴', 'wu'], ['徐', 'xu'], ['孙', 'sun'], ['胡', 'hu'], ['朱', 'zhu'], ['高', 'gao'], ['林', 'lin'], ['何', 'he']]
const firsts: readonly (readonly [string, string])[] = [['安', 'an'], ['宁', 'ning'], ['嘉', 'jia'], ['思', 'si'], ['雨', 'yu'], ['子', 'zi'], ['晨', 'chen'], ['明', 'ming'], ['文', 'wen'], ['若', 'ruo'], ['一', 'yi'], ['书', 'shu'], ['景', 'jing'], ['静', 'jing'], ['天', 'tian'], ['佳', 'jia'], ['梓', 'zi'], ['欣', 'xin'], ['浩', 'hao']]
const lasts: readonly (readonly [string, string])[] = [['然', 'ran'], ['轩', 'xuan'], ['涵', 'han'], ['琪', 'qi'], ['宇', 'yu'], ['萱', 'xuan'], ['博', 'bo'], ['彤', 'tong'], ['航', 'hang'], ['怡', 'yi'], ['杰', 'jie'], ['瑶', 'yao'], ['凡', 'fan'], ['颖', 'ying'], ['辰', 'chen'], ['悦', 'yue'], ['峰', 'feng'], ['琳', 'lin'], ['远', 'yuan'], ['蕾', 'lei'], ['阳', 'yang'], ['敏', 'min'], ['川', 'chuan']]

/** An element of a list by the id of the person; the three lists are walked at paces that share no divisor. */
function pick(list: readonly (readonly [string, string])[], side: 0 | 1, pace: number, length = 40): string {
  const texts = list.map(entry => `'${entry[side].slice(0, length)}'`).join(',')
  return `(array[${texts}])[1 + ((user_id * ${pace}) % ${list.length})::int]`
}

function joined(side: 0 | 1, length?: number): string {
  return [pick(surnames, side, 5, length), pick(firsts, side, 7, length), pick(lasts, side, 11, length)].join(' || ')
}

const invented_name = joined(0)
/** Numbers begin with what real ones do not begin with: while some are rewritten the others are still there. */
const number = 'user_id::text'
const when = (column: string, expression: string) => `case when ${column} is null then null else ${expression} end`

/** Departments are often called like their school, or by a path that begins with it. Written before the school itself (rules run in the order of tables). */
function withoutSchool(column: string): string {
  return `coalesce((select replace(${column}, s.school_name, '测试学校' || s.school_id) from school s where s.school_id = dept_version.school_id), ${column})`
}

/**
 * The tables that a harmless copy keeps, with every column of text, bytes or JSON. All other tables are emptied: journals, imports, messages, sessions, files, secrets.
 * A column that is not named here stops the command, so that nothing new slips through.
 */
export const kept_tables: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  account: { username: when('username', `'zz_user_' || ${number}`), password_hash: nothing, vuln_reason: nothing, phone_hash: nothing, totp_secret: nothing },
  account_school: {},
  audit_watch: { table_name: as_is, broken: nothing },
  dept: { tree: as_is, stage: as_is, class_type: as_is, code: as_is, batch_no: nothing },
  dept_duty: { duty: as_is },
  dept_member: { member_kind: as_is, position: as_is, batch_no: nothing },
  dept_version: { dept_name: withoutSchool('dept_name'), grade: as_is, node_path: as_is, pt_node_path_name: withoutSchool('pt_node_path_name') },
  dictionary_item: { sc_code_type: as_is, sc_code_item: as_is, name: as_is },
  dictionary_type: { sc_code_type: as_is, title: as_is },
  guardian_link: { relation: as_is, batch_no: nothing },
  parent: { work: nothing, edu: as_is },
  password_set: { default_rule: as_is, default_prefix: as_is, weak_action: as_is, notice_text: nothing },
  person: {
    user_name: invented_name, name_py: joined(1), name_initials: joined(1, 1), sex: as_is, id_type: nothing, id_no_enc: nothing, id_no_idx: nothing, id_no_mask: nothing,
    nation: as_is, country: as_is, gatqw: as_is, political: as_is, mobile: when('mobile', `'199' || lpad((user_id % 100000000)::text, 8, '0')`), email: when('email', `'u' || ${number} || '@example.com'`), qq: nothing,
    tel: nothing, address: when('address', `'测试路' || (user_id % 999 + 1) || '号'`), mail_address: nothing, home_address: nothing, postcode: nothing, photo_file_key: nothing, recog_pwd_enc: nothing, status: as_is, batch_no: nothing,
  },
  role: { code: as_is, name: as_is, client_kind: as_is, allow_login_web_text: as_is },
  role_bind: { bind_kind: as_is },
  role_group: { code: as_is, name: as_is, client_kind: as_is },
  role_group_module: { module_code: as_is },
  role_member: { source: as_is, reason: nothing },
  role_module: { module_code: as_is },
  role_permission: { code: as_is },
  role_permission_span: { code: as_is },
  role_scope: { dimension: as_is, kind: as_is },
  school: {
    school_name: `'测试学校' || school_id`, school_code: nothing, school_logo: nothing, login_bg: nothing, division: as_is, address: nothing, bxlx: as_is, school_run_by: as_is, urban_rural: as_is,
    principal_name: nothing, tel: nothing, icp_no: nothing,
  },
  school_config: { oss_http_prefix: nothing, oss_bucket: nothing, oss_region: nothing, oss_endpoint: nothing, ai_help_url: nothing, roles: as_is },
  school_dictionary_item: { sc_code_type: as_is, sc_code_item: as_is, name: as_is },
  school_module: { module_code: as_is, sub_app_url: nothing, token_url: nothing, sign_mode: as_is, secret_ref: nothing, frame_origins: `'{}'::text[]` },
  school_nav: { show_name: as_is, icon: as_is },
  school_nav_state: {},
  school_registry: { school_name: `'测试学校' || school_id` },
  school_user: { user_no: `'ZZ' || ${number}`, user_name: invented_name, user_photo: nothing },
  scope_fact: { dimension: as_is, kind: as_is, source: as_is },
  staff: {
    teacher_no: `'ZZ' || ${number}`, kind: as_is, bz: nothing, post: as_is, employ: as_is, edu: as_is, degree: as_is, title: as_is, stage: as_is, subject: as_is, cert: nothing, mandarin: as_is, work_month: as_is, join_month: as_is,
    remark: nothing, ext: `'{}'::jsonb`,
  },
  staff_span: { state: as_is, open_kind: as_is, close_kind: as_is, reason: nothing, to_where: nothing, batch_no: nothing },
  student: {
    student_no: `'ZZ' || ${number}`, school_roll_no: nothing, health: nothing, blood: nothing, name_pinyin: nothing, former_name: nothing, native_place: nothing, birth_division: nothing, hukou_division: nothing, hukou: nothing,
    enrol_month: as_is, entry_way: as_is, study_method: as_is, source: as_is, only_child: nothing, preschool: nothing, left_behind: nothing, migrant_child: nothing, orphan: nothing, martyr_child: nothing, need_aid: nothing,
    boarding_aid: nothing, disability: nothing, commute: as_is, remark: nothing, ext: `'{}'::jsonb`,
  },
  student_span: { state: as_is, open_kind: as_is, close_kind: as_is, reason: nothing, to_where: nothing, batch_no: nothing },
  work: { kind: as_is, ref: as_is, lane: as_is },
}

/** Other columns that say too much of one person: a day of birth is known to within thirty days. */
export const more_rules: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  person: { birthday: when('birthday', `make_date(2000, 1, 1) + ((birthday - make_date(2000, 1, 1)) / 30) * 30`) },
  school: { home_lng: nothing, home_lat: nothing },
}

/** Work that was waiting for what is emptied; the daily turns of schools stay. */
export const stale_work = `delete from work where ref !~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' and kind <> 'installation_backup'`
