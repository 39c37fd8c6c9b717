/** The six reactions: their words, and 24 pixel drawings in the style of ui/Icon.svelte. */
import type { Reaction } from '../protocol';

interface Drawn {
  /** The button's word. */
  label: string;
  /** The text shown when somebody uses it. */
  says: string;
  path: string;
}

const face = 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z';

export const reactions: Record<Reaction, Drawn> = {
  wave: {
    label: 'Wave',
    says: 'waves',
    path: 'M8 20.500c-2.500-1.500-3.500-4-3.500-7v-3.300a1.200 1.200 0 0 1 2.400 0V7a1.200 1.200 0 0 1 2.400 0V5.500a1.200 1.200 0 0 1 2.400 0V7a1.200 1.200 0 0 1 2.400 0v6.500l1.600-2a1.300 1.300 0 0 1 2 1.600c-1.200 2-2 4.400-3.700 7.400M17 3.500c1.500.8 2.500 1.800 3 3.300M16.500 7c.6.3 1 .8 1.200 1.400',
  },
  clap: {
    label: 'Applaud',
    says: 'applauds',
    path: 'M11 20.500c-3.500-.5-5.500-3-6-6L4 10.500a1.200 1.200 0 0 1 2.300-.6l1 2.600V7.500a1.200 1.200 0 0 1 2.400 0v5M13 20.500c3.500-.5 5.500-3 6-6l1-4a1.200 1.200 0 0 0-2.300-.6l-1 2.600V7.500a1.200 1.200 0 0 0-2.400 0v5M12 2v2M8 2.500l.7 1.700M16 2.500l-.7 1.700',
  },
  laugh: {
    label: 'Laugh',
    says: 'laughs',
    path: `${face}M7.500 10l1.300-1.200 1.300 1.200M13.900 10l1.300-1.200 1.300 1.200M7.500 13.500h9c-.4 2.600-2.200 4-4.500 4s-4.100-1.400-4.500-4z`,
  },
  think: {
    label: 'Think',
    says: 'thinks about it',
    path: 'M7.500 15.500a4 4 0 0 1-.6-7.900A5 5 0 0 1 16.500 6.500a4.500 4.500 0 0 1 .5 9zM7.500 19a.7.7 0 1 0 0 1.400.7.7 0 0 0 0-1.400zM9 10.800v.1M12 10.800v.1M15 10.800v.1',
  },
  oops: {
    label: 'Oops',
    says: 'says oops',
    path: `${face}M8.800 9.500v.8M15.200 9.500v.8M12 13.500a1.900 1.900 0 1 0 0 3.800 1.900 1.900 0 0 0 0-3.800z`,
  },
  heart: {
    label: 'Heart',
    says: 'sends a heart',
    path: 'M12 20C6.500 15.800 3.500 12.800 3.500 9.200A4.300 4.300 0 0 1 12 7.600a4.300 4.300 0 0 1 8.500 1.600c0 3.600-3 6.600-8.500 10.800z',
  },
};
