import {z} from 'zod';
import {cutText} from '../../worker/index.ts';

/**
A sentence from another process, to be shown or printed. Its length is limited, so that a peer cannot fill the screen.
*/
export const sentence = z.string().transform(text => cutText(text, maxSentenceBytes).text);

const maxSentenceBytes = 4096;
