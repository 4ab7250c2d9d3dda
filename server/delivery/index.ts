// Files, HLS and pictures to the public: what the start puts together.

export { openDelivery } from './open-delivery.ts'
export { UNSIGNED_WIDTHS } from './size-permission.ts'
