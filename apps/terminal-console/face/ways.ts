/** How somebody comes to the terminal, in the order of the buttons. */
export const ways = ['card', 'face', 'qr', 'password'] as const
export type Way = (typeof ways)[number]
