/** What a program loads that lets other terminals attach to its session. */
export {listen} from './server.ts';
export {socketFolder} from './socket-path.ts';
export {removeDeadSockets} from './probe.ts';
