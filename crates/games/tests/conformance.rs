//! Every game in the registry keeps the laws of games.
//!
//! The default instance and every preset are played at random; the tiny instance is enumerated too.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use fogtree_core::testing::{Options, Violation, check_play, check_tree};
use fogtree_core::{About, Playable, Spec};
use fogtree_games::{ALL, Receiver, build};

/// Plays an instance at random.
struct Play;

impl Receiver for Play {
    type Out = Vec<Violation>;

    fn game<G: Playable>(&mut self, game: G) -> Vec<Violation> {
        check_play(&game, &Options::default())
    }
}

/// Plays an instance at random and enumerates it.
struct Enumerate;

impl Receiver for Enumerate {
    type Out = Vec<Violation>;

    fn game<G: Playable>(&mut self, game: G) -> Vec<Violation> {
        check_tree(&game, &Options::default())
    }
}

/// Variants whose laws differ from those of the tiny instance of their game, enumerated too.
const VARIANTS: &[&str] = &[
    "blob(players=3,suits=2,ranks=2,hands=[1,1])",
    "blob(players=2,suits=2,ranks=3,hands=[2],hook=no,missed=nothing,reward=points)",
    "dark-hex(rows=2,columns=2,turn=abrupt)",
    "dark-hex(rows=2,columns=3)",
    "dou-di-zhu(ranks=2,copies=2,jokers=no,hand=1,bidding=yes,extra=shown)",
    "dou-di-zhu(ranks=2,copies=2,jokers=no,hand=1,bidding=yes,reward=signed)",
    "dou-di-zhu(ranks=2,copies=4,jokers=no,hand=2,extra=shown)",
    "arimaa(size=4,setup=r.../..../..../...R,steps=1,turns=12)",
    "arimaa(size=4,pieces=CRRR,steps=1,turns=4,reward=signed)",
    "arimaa(size=5,setup=r..../..c../.Mr../...../R...R,steps=4,turns=1)",
    "backgammon(points=4,start=[4:1,2:1],sides=2,turns=5,opening=first,scoring=full)",
    "backgammon(points=8,start=[8:1,2:2],sides=3,turns=3,scoring=gammon,reward=signed)",
    "checkers(cap=5)",
    "checkers(size=6,rows=1,cap=9,reward=signed)",
    "goofspiel(cards=3,bids=open,prizes=random)",
    "goofspiel(cards=4,bids=hidden,last=automatic)",
    "goofspiel(cards=3,bids=hidden,reward=points,prizes=[1,0,2])",
    "hearts(players=3,suits=3,ranks=1,pass=1,to=2)",
    "hearts(players=3,suits=3,ranks=3,pass=0,to=1,breaks=penalties,reward=points)",
    "liars-coins(players=3,coins=1)",
    "liars-dice(players=2,dice=2,faces=2,wild=no)",
    "liars-dice(players=3,dice=1,faces=2)",
    "lotr-confrontation(size=2,setup=open,light=[frodo,sam,boromir],dark=[orcs,saruman],light-cards=[2],\
     dark-cards=[1],turns=5,shire=2)",
    "lotr-confrontation(size=3,setup=home,light=[gandalf,frodo,sam,gimli],\
     dark=[flying-nazgul,black-rider,balrog],light-cards=[3,noble-sacrifice],dark-cards=[1,eye-of-sauron],\
     turns=3)",
    "lotr-confrontation(size=4,setup=open,light=[sam,merry,gimli,boromir,aragorn,frodo,pippin],\
     dark=[orcs,balrog,warg,saruman,shelob,witch-king],light-cards=[3],dark-cards=[1,retreat],turns=3)",
    "matrix(rows=[3:3,0:5;5:0,1:1])",
    "mini-dou-di-zhu(ranks=2,copies=3,jokers=2,hand=3,reward=signed)",
    "mini-dou-di-zhu(ranks=3,copies=2,jokers=0,hand=2)",
    "nannon(limit=3,reward=signed)",
    "nim(heaps=[1,2,3],misere=yes)",
    "oshi-zumo(coins=8,size=2,minimum=3)",
    "oshi-zumo(coins=7,size=1,minimum=2,short=all,reward=unit)",
    "phantom-mnk(m=3,n=2,k=3,failed=announced)",
    "phantom-mnk(m=2,n=2,k=2,failed=announced)",
    "phantom-mnk(m=2,n=2,k=2,turn=abrupt)",
    "phantom-mnk(m=3,n=1,k=3,turn=abrupt,reward=signed)",
    "phantom-mnk(m=3,n=1,k=2,opening=centre,reward=signed)",
    "poker(types=3,copies=2,bets=1,raises=1,suits=yes)",
    "pursuit-evasion(width=2,length=4,depth=3,start=[0,7,7],reward=unit)",
    "pursuit-evasion(width=1,length=6,depth=4,start=3,within=2)",
    "random-game(branching=3,depth=2,seed=7,utility=leaf)",
    "random-game(branching=2,depth=5,seed=0,utility=sign)",
    "spades(suits=2,ranks=2,hand=1,rounds=1,reward=margin)",
    "spades(players=2,suits=1,ranks=3,hand=1,to=50,rounds=2,rest=played)",
    "resistance(players=4,spies=2,teams=[2],proposals=2)",
    "resistance(players=4,spies=2,teams=[2,2*,1],proposals=1,leader=1)",
    "scotland-yard(board=tiny,seekers=2,rounds=2,surface=[],taxi=1,bus=1,underground=0,x=[1,1,0])",
    "scotland-yard(board=tiny,seekers=2,rounds=2,surface=[],taxi=1,bus=1,underground=0,x=[1,1,0],team=apart)",
    "scotland-yard(board=tiny,seekers=1,rounds=3,surface=[3],doubles=1,taxi=2,bus=1,underground=0,x=[2,0,0])",
    "saboteur(players=2,deck=[map*3,rockfall*2],hand=2,distance=1,goals=2,border=0)",
    "saboteur(players=2,deck=[broken-pick*2,repair-pick-or-lamp,TR*2],hand=2,distance=1,goals=1,border=0)",
    "saboteur(players=3,deck=[map*2,broken-pick*2],hand=1,distance=1,goals=1,border=0)",
    "stratego(columns=3,rows=3,home=1,army=F2S,plies=4,two-squares=1)",
    "stratego(columns=2,rows=4,home=2,army=FS5,setup=back-flag,plies=2)",
    "tree(name=coin)",
    "tree(name=kuhn)",
    "tree(name=non-locality)",
    "tron(rows=1,columns=5)",
    "tron(rows=4,columns=3,reward=unit)",
    "tubstap(map=ambush,sampler=exact,collision=bounce,limit=2,end-turn=yes)",
    "tubstap(map=ambush,sampler=exact,limit=2,surrender=yes)",
    "tubstap(map=battery,sampler=exact,limit=3,report=start)",
    "tubstap(map=battery,sampler=exact,noise=hp,enemy-hp=hidden,limit=2)",
    "urban-rivals(cards=3,life=9,pillz=1,fury=no,first=[5:2,3:4,2:5],second=[4:3,3:4,6:1],reward=signed)",
    "visibility-pursuit(map=...../.###./.....,range=1,steps=2,pursuers=2,start=[1.1,2.1,5.3],apart=0,objective=unseen)",
    "visibility-pursuit(map=..#../.....,range=1.5,steps=3,pursuers=1,start=[1.1,5.1],wait=no,objective=end-size)",
    "visibility-pursuit(map=road,places=12,range=6,steps=3,pursuers=1,start=3,reward=log)",
];

/// What is wrong with a game, in lines.
fn faults(about: &About) -> Vec<String> {
    let plain = |name: &str| Spec { name: name.to_string(), params: Vec::new() };
    let played = std::iter::once(about.name).chain(about.presets.iter().map(|preset| preset.name));
    let mut verdicts: Vec<_> = played.map(plain).map(|spec| (build(&spec, &mut Play), spec)).collect();
    let variants = VARIANTS.iter().map(|text| text.parse().expect("variants are well-formed"));
    for spec in variants.filter(|spec: &Spec| spec.name == about.name).chain([about.tiny()]) {
        verdicts.push((build(&spec, &mut Enumerate), spec));
    }
    let lines = |(verdict, spec): (Result<Vec<Violation>, _>, Spec)| match verdict {
        Ok(violations) => violations.iter().map(|v| format!("{spec}: {v}")).collect(),
        Err(why) => vec![format!("{spec} cannot be built: {why}")],
    };
    verdicts.into_iter().flat_map(lines).collect()
}

#[test]
fn every_game_keeps_the_laws() {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(ALL.len());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(about) = ALL.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let began = Instant::now();
                    let faults = faults(about);
                    println!("{}: {} faults in {:.1?}", about.name, faults.len(), began.elapsed());
                    found.lock().expect("no game panics here").extend(faults);
                }
            });
        }
    });
    let found = found.into_inner().expect("no game panics here");
    assert_eq!(next.into_inner(), ALL.len() + threads, "some games were not reached");
    assert!(found.is_empty(), "laws are broken:\n{}", found.join("\n"));
}
