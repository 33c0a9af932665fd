/** Compatibility version shown in 关于 and sent with error reports (product spec §9). */
export const product_version = '1.4.9'
