//! What a player knows, as numbers.

use fogtree_core::Player;

use super::VisibilityPursuit;
use super::known::Info;
use crate::tensors::{Listed, Numbers, impl_tensors};

impl_tensors!(VisibilityPursuit);

impl Listed for VisibilityPursuit {
    /// The seat; where every unit is, the evader first, if that is known; where each unit of the other side
    /// may be; how many steps are made and how large the regions were on average.
    fn list(&self, k: &Info, seat: Player, out: &mut Numbers<'_>) {
        let places = self.map.numbers();
        out.one_hot(seat.index(), 2);
        for track in &k.tracks[..=self.pursuers] {
            out.one_hot(usize::from(track[k.time()]), places);
        }
        for region in &k.regions[..self.pursuers] {
            out.flags((0..places as u16).map(|place| region.contains(place)));
        }
        out.share(k.time, self.steps);
        out.share(k.total, (places * usize::from(self.steps) * self.pursuers) as u32);
    }
}
