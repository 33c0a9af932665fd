/** Numbers of cards that the demo school's first people have and the tray of the virtual reader holds: the first ones are those of the vectors in chapter 40 (R2). */
export const demo_card_uids = ['2A83155E', '00D507D0', '9C40E71B', '9C40E71C', '04A1B2C3D4E5F6'] as const
