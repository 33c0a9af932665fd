import type { RegistryProp } from '@campus/people/contract'

export type Section = { key: string; title: string; props: readonly RegistryProp[] }

/** The registry as people read it: who, where at school, where to reach. Guardians are the fourth section. */
export const sections: readonly Section[] = [
  {
    key: 'base',
    title: '基本信息',
    props: [
      'user_name', 'sex', 'student_no', 'id_type', 'id_no', 'birthday', 'nation', 'country', 'gatqw', 'political', 'health', 'blood', 'name_pinyin', 'former_name',
      'native_place', 'birth_division', 'hukou_division', 'hukou',
    ],
  },
  {
    key: 'roll',
    title: '学籍信息',
    props: [
      'school_roll_no', 'enrol_month', 'entry_way', 'study_method', 'source', 'only_child', 'preschool', 'left_behind', 'migrant_child', 'orphan',
      'martyr_child', 'need_aid', 'boarding_aid', 'disability',
    ],
  },
  {
    key: 'contact',
    title: '联系与住址',
    props: ['tel', 'email', 'postcode', 'address', 'mail_address', 'home_address', 'distance_km', 'commute', 'by_bus', 'remark'],
  },
]
