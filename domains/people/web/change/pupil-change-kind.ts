/** What the change dialog of pupils does: 调班 (留级, 跳级), 离校, 休学, 复学. */
export type PupilChangeKind = 'move' | 'leave' | 'suspend' | 'resume'
