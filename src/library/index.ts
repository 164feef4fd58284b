export {openPod} from './open-pod.ts';
export type * from './types.ts';
