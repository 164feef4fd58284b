/** The code that lets other terminals attach to a session of this process. */
export {listen} from './server.ts';
export {socketFolder} from '../../platform/local-door.ts';
export {removeDeadSockets} from './probe.ts';
