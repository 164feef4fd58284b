/** The parts of the program that bench/calls.mjs needs. */
export {defaultLimits} from '../src/pod/config/limits.ts';
export {openPod} from '../src/pod/open.ts';
export {limitMemory} from '../src/pod/open/start/limit-memory.ts';
export {createScope} from '../src/pod/scope/scope.ts';
export {createSession} from '../src/pod/disk/log/open.ts';
export {defineTool, loadModel, requestSettings, systemClock} from '../src/worker/index.ts';
