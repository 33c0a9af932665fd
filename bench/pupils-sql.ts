/** A school to be filled: ids begin after `base`; every second pupil has two guardians, or each has one. */
export type Fill = { school_id: number; base: number; pupils: number; classes: readonly string[]; on: string; guardians: 'one' | 'one or two' }

const surnames = '王李张刘陈杨黄赵周吴徐孙马朱胡郭何高林罗郑梁谢宋唐许邓冯韩曹曾彭萧蔡潘田董袁于余'
const given = '子梓浩宇轩博文俊杰思雨欣怡佳琪梦瑶涵晨曦诗语嘉豪明泽天佑雅静芷若依诺一鸣皓然可馨奕辰沐阳锦程书瑶'

/** Rows as the product would write them, made by one SQL script: quick, and without the product's own bulk code. */
export function fillSchool(fill: Fill): string {
  const { school_id, base, pupils } = fill
  const each = `generate_series(1, ${pupils}) i`
  const guardian = fill.guardians === 'one' ? `(values (1)) g(k)` : `generate_series(1, 1 + i % 2) k`
  const parent_id = `${base + pupils} + 2 * i - 2 + k`
  return `
begin;
set local app.school_id = '${school_id}';
${accounts(school_id, `${base} + i`, each)}
${accounts(school_id, parent_id, `${each}, ${guardian}`)}
insert into school_user (school_id, user_id, user_no, user_name, user_kind)
  select ${school_id}, ${base} + i, '2026' || lpad(i::text, 6, '0'), ${nameOf('i')}, 1 from ${each};
insert into school_user (school_id, user_id, user_no, user_name, user_kind)
  select ${school_id}, ${parent_id}, 'P' || (${parent_id}), ${nameOf('i + k')}, 3 from ${each}, ${guardian};
${people(fill, each)}
insert into person (school_id, user_id, user_name, name_py, name_initials, sex, mobile)
  select ${school_id}, ${parent_id}, ${nameOf('i + k')}, ${pinyinOf('i + k')}, ${initialsOf('i + k')}, (1 + k % 2)::text, '16' || lpad((2 * i + k)::text, 9, '0') from ${each}, ${guardian};
insert into parent (school_id, user_id) select ${school_id}, ${parent_id} from ${each}, ${guardian};
${roll(fill, each)}
insert into guardian_link (school_id, student_user_id, parent_user_id, relation, is_first, order_no, valid_from)
  select ${school_id}, ${base} + i, ${parent_id}, case k when 1 then '1' else '2' end, k = 1, k, '${fill.on}' from ${each}, ${guardian};
select setval('subject_id_seq', greatest(nextval('subject_id_seq'), ${base + 4 * pupils}));
commit;`
}

function accounts(school_id: number, id: string, from: string): string {
  return `insert into account (user_id) select ${id} from ${from};
insert into account_school (user_id, school_id) select ${id}, ${school_id} from ${from};`
}

function people({ school_id, base }: Fill, each: string): string {
  const columns = 'id_type, id_no_enc, id_no_idx, id_no_mask, birthday, nation, country, gatqw, political, tel, address, mail_address, home_address, postcode'
  const sealed = `sha256(convert_to('seal' || i, 'UTF8')) || '\\x00112233445566778899aabbcc'::bytea, sha256(convert_to('index' || i, 'UTF8')), '3702**********' || lpad((i % 10000)::text, 4, '0')`
  const address = `'山东省青岛市市南区香港中路' || i || '号'`
  return `insert into person (school_id, user_id, user_name, name_py, name_initials, sex, ${columns})
  select ${school_id}, ${base} + i, ${nameOf('i')}, ${pinyinOf('i')}, ${initialsOf('i')}, (1 + i % 2)::text, '1', ${sealed}, date '2014-09-01' + i % 360, '01', '156', '00', '13',
    '16' || lpad((2 * i + 1)::text, 9, '0'), ${address}, ${address}, ${address}, '266000' from ${each};`
}

function roll({ school_id, base, classes, on }: Fill, each: string): string {
  const columns = 'health, birth_division, hukou_division, hukou, entry_way, study_method, only_child, preschool, left_behind, migrant_child, orphan, martyr_child, need_aid, boarding_aid, disability'
  return `insert into student (school_id, user_id, student_no, enrol_month, ${columns})
  select ${school_id}, ${base} + i, '2026' || lpad(i::text, 6, '0'), '202609', '1', '370202', '370202', '1', '01', '1', '1', '1', '0', '0', '0', '0', '0', '0', '0' from ${each};
insert into student_span (school_id, user_id, state, valid_from, open_kind) select ${school_id}, ${base} + i, '01', '${on}', 'IN' from ${each};
insert into dept_member (school_id, user_id, dept_id, member_kind, dept_type, valid_from)
  select ${school_id}, ${base} + i, ('{${classes.join(',')}}'::bigint[])[1 + i % ${classes.length}], 'student', 4, '${on}' from ${each};`
}

/** Names spread over the signs evenly: 40 surnames, two given signs each. */
function nameOf(at: string): string {
  const one = (of: string, factor: number, shift: number) => `substr('${of}', 1 + (${factor} * (${at}) + ${shift}) % ${[...of].length}, 1)`
  return `${one(surnames, 1, 0)} || ${one(given, 7, 3)} || ${one(given, 13, 5)}`
}

function pinyinOf(at: string): string {
  return `(array['wang','li','zhang','liu','chen','yang','huang','zhao'])[1 + (${at}) % 8] || (array['zihao','yuxuan','bowen','junjie','siyu','xinyi'])[1 + (${at}) / 8 % 6]`
}

function initialsOf(at: string): string {
  return `(array['w','l','z','l','c','y','h','z'])[1 + (${at}) % 8] || (array['zh','yx','bw','jj','sy','xy'])[1 + (${at}) / 8 % 6]`
}
